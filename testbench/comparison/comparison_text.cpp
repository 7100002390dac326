#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "testbench/comparison/comparison_text.h"
#include "testbench/output/terminal_text.h"

namespace heddle::comparison {
namespace {

using Line = std::vector<std::string>;

std::string cell(const std::optional<double>& value, bool whole, int digits = 4) {
  if (!value) return "-";
  return whole ? fmt::format("{:.0f}", *value) : fmt::format("{:.{}f}", *value, digits);
}

std::string head_of(const std::string& name) {
  constexpr std::size_t kMost = 32, kHalf = (kMost - 3) / 2;
  if (name.size() <= kMost) return name;
  return name.substr(0, kHalf + 1) + "..." + name.substr(name.size() - kHalf);
}

std::string parameters_text(const Runs& runs) {
  const std::vector<run::ParameterDifference> all = differing_parameters(runs);
  if (all.empty()) return runs.size() > 1 ? "the variants' parameters are equal\n" : "";
  std::string out =
      fmt::format("the variants differ in {} parameter{}:\n", all.size(), all.size() == 1 ? "" : "s");
  for (const run::ParameterDifference& one : all)
    out += fmt::format("  {} = {}\n", one.path, fmt::join(one.values, " | "));
  return out;
}

std::string measures_text(const Runs& runs, Detail detail) {
  Line head = {"variant"}, check = {"check"};
  for (const ComparedRun& run : runs) {
    head.push_back(head_of(run.name));
    check.push_back(run.check);
  }
  std::vector<Line> lines = {head};
  for (const Row& row : measures(runs)) {
    if (detail == Detail::brief && row.name != "cycles" && row.name != "speed-up" && row.name != "ipc" &&
        row.name != "power_mw")
      continue;
    Line line = {row.name};
    for (const auto& value : row.values) line.push_back(cell(value, row.whole));
    lines.push_back(std::move(line));
    if (row.name == "speed-up") lines.push_back(check);
  }
  return output::table(lines, output::terminal_width());
}

// Formats a percentage. A negative value that rounds to zero gets no minus sign.
std::string percent(double share) {
  const std::string text = fmt::format("{:.1f} %", 100 * share);
  return text == "-0.0 %" ? "0.0 %" : text;
}

// Formats the row of an energy: the energy of each run and, for each run except the first, the share of the
// first run's energy that it saves.
Line energy_line(const std::string& name, const Row& row) {
  Line line = {name};
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    line.push_back(cell(row.values[i], false, 1));
    if (i == 0) continue;
    const std::optional<double> share = saved(row, i);
    line.push_back(share ? percent(*share) : "-");
  }
  return line;
}

std::string energies_text(const Runs& runs) {
  const std::vector<EnergyRow> rows = energies(runs);
  if (rows.empty()) return {};
  Line head = {"energy, nJ"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    head.push_back(head_of(runs[i].name));
    if (i > 0) head.push_back(same_account(runs, i) ? "saved" : "other account");
  }
  std::vector<Line> lines = {head};
  for (const EnergyRow& row : rows) {
    const std::size_t dot = row.name().find('.');
    const std::string name = dot == std::string::npos ? row.name() : "    " + row.name().substr(dot + 1);
    lines.push_back(
        energy_line(row.name() == "total" || dot != std::string::npos ? name : "  " + name, row.total));
    if (row.name() != "total") continue;
    lines.push_back(energy_line("  of it dynamic", row.dynamic));
    lines.push_back(energy_line("  of it leakage", row.leakage));
    lines.push_back(energy_line("  of it overhead", row.overhead));
  }
  return "\n" + output::table(lines, output::terminal_width(), 2);
}

}  // namespace

std::string comparison_text(const Runs& runs, Detail detail) {
  std::string out = parameters_text(runs);
  for (const std::string& remark : remarks(runs)) out += "note: " + remark + "\n";
  out += "\n" + measures_text(runs, detail) + energies_text(runs);
  const std::vector<std::string> lines = conclusions(runs);
  if (!lines.empty()) out += "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += lines[i] + "\n";
    if (const std::vector<std::string> sign = sign_depends_on(runs, i + 1); !sign.empty())
      out += fmt::format("sign depends on: {}\n", fmt::join(sign, ", "));
  }
  return out;
}

}  // namespace heddle::comparison
