#include <fmt/format.h>
#include <fmt/ranges.h>

#include "testbench/comparison/comparison_text.h"
#include "testbench/output/chart.h"
#include "testbench/output/html_page.h"

namespace heddle::comparison {
namespace {

using output::HtmlCell;
using output::HtmlTable;

HtmlCell cell_of(const std::optional<double>& value, bool whole) {
  if (!value) return HtmlCell::of("-");
  return whole ? HtmlCell::count(static_cast<std::uint64_t>(*value)) : HtmlCell::of(*value, 4);
}

std::vector<std::string> names_of(const Runs& runs) {
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) names.push_back(run.name);
  return names;
}

void add_parameters(output::HtmlPage& page, const Runs& runs) {
  HtmlTable table;
  table.headings = {"parameter"};
  for (const std::string& name : names_of(runs)) table.headings.push_back(name);
  for (const run::ParameterDifference& one : differing_parameters(runs)) {
    std::vector<HtmlCell> row = {HtmlCell::of(one.path)};
    for (const std::string& value : one.values) row.push_back(HtmlCell::of(value));
    table.rows.push_back(std::move(row));
  }
  page.subheading("Parameters that differ");
  if (table.rows.empty()) page.paragraph("None.");
  if (!table.rows.empty()) page.table(table);
}

void add_measures(output::HtmlPage& page, const Runs& runs) {
  HtmlTable table;
  table.headings = {"metric"};
  for (const std::string& name : names_of(runs)) table.headings.push_back(name);
  table.filter = "filter metrics";
  for (const Row& row : measures(runs)) {
    std::vector<HtmlCell> cells = {HtmlCell::named(row.name)};
    for (const auto& value : row.values) cells.push_back(cell_of(value, row.whole));
    table.rows.push_back(std::move(cells));
  }
  page.table(table);
}

void add_whole(output::HtmlPage& page, const Runs& runs, const std::vector<EnergyRow>& spent) {
  output::BarChart bars;
  bars.y = "% of " + runs[0].name;
  bars.series = names_of(runs);
  bars.values.resize(runs.size());
  const auto add = [&](const std::string& name, const Row& row) {
    bars.categories.push_back(name);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::optional<double> share = saved(row, i);
      bars.values[i].push_back(share ? std::optional<double>(100 * (1 - *share)) : std::nullopt);
    }
  };
  add("cycles", measures(runs)[0]);
  if (!spent.empty()) {
    add("energy", spent[0].total);
    add("dynamic", spent[0].dynamic);
    add("leakage", spent[0].leakage);
  }
  page.chart(output::bar_chart(bars),
             fmt::format("Run time and energy of all runs, of those of {}.", runs[0].name));
}

void add_energies(output::HtmlPage& page, const Runs& runs, const std::vector<EnergyRow>& spent) {
  if (spent.empty()) return;
  output::BarChart bars;
  bars.y = "energy, nJ";
  bars.series = names_of(runs);
  bars.values.resize(runs.size());
  HtmlTable table;
  table.headings = {"energy, nJ"};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    table.headings.push_back(runs[i].name);
    if (i > 0)
      table.headings.push_back(fmt::format("saved against {}, %{}", runs[0].name,
                                           same_account(runs, i) ? "" : " (other account)"));
  }
  for (const EnergyRow& row : spent) {
    const bool structure = row.name().find('.') != std::string::npos;
    if (structure) bars.categories.push_back(row.name());
    std::vector<HtmlCell> cells = {HtmlCell::of(row.name())};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (structure) bars.values[i].push_back(row.total.values[i]);
      cells.push_back(cell_of(row.total.values[i], false));
      if (i == 0) continue;
      const std::optional<double> share = saved(row.total, i);
      cells.push_back(share ? HtmlCell::of(100 * *share, 1) : HtmlCell::of("-"));
    }
    table.rows.push_back(std::move(cells));
  }
  if (!bars.categories.empty()) page.chart(output::bar_chart(bars), "Energy by structure of all runs.");
  page.table(table);
}

}  // namespace

void add_comparison(output::HtmlPage& page, const Runs& runs) {
  page.heading("Compared with " + runs[0].name);
  const std::vector<std::string> lines = conclusions(runs);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    page.paragraph(lines[i] + ".");
    if (const std::vector<std::string> sign = sign_depends_on(runs, i + 1); !sign.empty())
      page.paragraph(fmt::format("Sign depends on: {}.", fmt::join(sign, ", ")));
  }
  for (const ComparedRun& run : runs)
    if (run.check != "equal")
      page.verdict(run.check == "DIFFERENT" || run.check == "FINDINGS" || run.check == "FAILED"
                       ? output::HtmlPage::Verdict::bad
                       : output::HtmlPage::Verdict::open,
                   fmt::format("{}: {}", run.name,
                               run.check == "FINDINGS"    ? "checks found faults"
                               : run.check == "FAILED"    ? "launches failed"
                               : run.check == "DIFFERENT" ? "outputs differ from the untimed reference"
                                                          : "not checked against the untimed reference"));
  for (const std::string& remark : remarks(runs))
    page.verdict(output::HtmlPage::Verdict::open, "Note: " + remark);
  const std::vector<EnergyRow> spent = energies(runs);
  add_whole(page, runs, spent);
  add_energies(page, runs, spent);
  add_measures(page, runs);
  add_parameters(page, runs);
}

}  // namespace heddle::comparison
