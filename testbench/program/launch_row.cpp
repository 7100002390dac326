#include "testbench/program/launch_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "models/core/config_node.h"
#include "models/core/error.h"
#include "power/energy_units.h"
#include "testbench/output/result_file.h"
#include "testbench/program/program_estimate.h"

namespace heddle::program {
namespace {

constexpr const char* kAgain = "again";

isa::Dim3 extents(const ConfigNode& node) {
  const auto at = [&node](std::size_t i) { return static_cast<std::uint32_t>(node.items.at(i).integer); };
  return {at(0), at(1), at(2)};
}

const ConfigNode& member(const ConfigNode& row, const char* key) {
  const ConfigNode* const found = row.find(key);
  if (!found) throw Error(row.file, fmt::format("a launch without \"{}\"", key));
  return *found;
}

std::uint64_t count(const ConfigNode& row, const char* key) {
  return static_cast<std::uint64_t>(member(row, key).integer);
}

std::string text(const ConfigNode& row, const char* key) {
  const ConfigNode* const found = row.find(key);
  return found ? found->text : "";
}

LaunchRow row_of(const ConfigNode& node) {
  LaunchRow row;
  row.launch = count(node, "launch");
  row.kernel = text(node, "kernel");
  row.mangled = text(node, "mangled");
  row.grid = extents(member(node, "grid"));
  row.block = extents(member(node, "block"));
  row.shared_bytes = count(node, "shared_bytes");
  row.instructions = count(node, "instructions");
  row.timed = member(node, "timed").boolean;
  if (node.find("registers")) row.registers = count(node, "registers");
  row.time_us = member(node, "time_us").number;
  if (node.find("ctas_timed")) row.ctas_timed = count(node, "ctas_timed");
  if (node.find("cycles")) row.cycles = count(node, "cycles");
  if (const ConfigNode* energy = node.find("energy_pj")) row.energy_pj = energy->number;
  if (const ConfigNode* energy = node.find("dynamic_pj")) row.dynamic_pj = energy->number;
  if (const ConfigNode* energy = node.find("baseline_pj")) row.baseline_pj = energy->number;
  if (const ConfigNode* checked = node.find("checked")) row.checked = checked->boolean;
  if (const ConfigNode* equal = node.find("equal")) row.equal = equal->boolean;
  if (node.find("outside_reads")) row.outside_reads = count(node, "outside_reads");
  row.difference = text(node, "difference");
  if (const ConfigNode* estimate = node.find("estimate")) row.estimate = estimate_of(*estimate);
  if (const ConfigNode* races = node.find("races"))
    for (const ConfigNode& race : races->items) row.races.push_back(race.text);
  if (node.find("findings")) row.findings = count(node, "findings");
  if (const ConfigNode* lines = node.find("finding_lines"))
    for (const ConfigNode& line : lines->items) row.finding_lines.push_back(line.text);
  if (node.find("representative")) row.representative = count(node, "representative");
  row.captured = text(node, "captured");
  row.waves = text(node, "waves");
  row.error = text(node, "error");
  if (const ConfigNode* not_run = node.find("not_run")) row.not_run = not_run->boolean;
  return row;
}

std::string line_of(const ConfigNode& node) {
  std::string line = to_json(node);
  std::erase(line, '\n');
  return line + "\n";
}

LaunchRow* find(std::vector<LaunchRow>& rows, std::uint64_t launch) {
  const auto at = std::lower_bound(rows.begin(), rows.end(), launch,
                                   [](const LaunchRow& row, std::uint64_t l) { return row.launch < l; });
  return at != rows.end() && at->launch == launch ? &*at : nullptr;
}

}  // namespace

ConfigNode to_node(const LaunchRow& row) {
  ConfigNode node = ConfigNode::make_object();
  const auto put = [&node](const char* key, ConfigNode value) {
    node.members.emplace_back(key, std::move(value));
  };
  put("launch", ConfigNode::make_count(row.launch));
  put("kernel", ConfigNode::make_string(row.kernel));
  put("mangled", ConfigNode::make_string(row.mangled));
  put("grid", output::extents_node(row.grid));
  put("block", output::extents_node(row.block));
  put("shared_bytes", ConfigNode::make_count(row.shared_bytes));
  put("instructions", ConfigNode::make_count(row.instructions));
  put("timed", ConfigNode::make_boolean(row.timed));
  if (row.registers) put("registers", ConfigNode::make_count(row.registers));
  put("time_us", ConfigNode::make_number(row.time_us));
  if (row.timed) put("ctas_timed", ConfigNode::make_count(row.ctas_timed));
  if (row.timed) put("cycles", ConfigNode::make_count(row.cycles));
  if (row.energy_pj) put("energy_pj", ConfigNode::make_number(*row.energy_pj));
  if (row.dynamic_pj) put("dynamic_pj", ConfigNode::make_number(*row.dynamic_pj));
  if (row.baseline_pj) put("baseline_pj", ConfigNode::make_number(*row.baseline_pj));
  if (row.timed) put("checked", ConfigNode::make_boolean(row.checked));
  if (row.checked) put("equal", ConfigNode::make_boolean(row.equal));
  if (row.outside_reads) put("outside_reads", ConfigNode::make_count(row.outside_reads));
  for (const auto& [key, value] : {std::pair{"difference", &row.difference},
                                   {"captured", &row.captured},
                                   {"waves", &row.waves},
                                   {"error", &row.error}})
    if (!value->empty()) put(key, ConfigNode::make_string(*value));
  if (row.not_run) put("not_run", ConfigNode::make_boolean(true));
  if (row.estimate) put("estimate", to_node(*row.estimate));
  if (row.representative) put("representative", ConfigNode::make_count(*row.representative));
  if (row.represents) put("represents", ConfigNode::make_count(row.represents));
  if (!row.races.empty()) put("races", ConfigNode::make_texts(row.races));
  if (row.findings) put("findings", ConfigNode::make_count(row.findings));
  if (!row.finding_lines.empty()) put("finding_lines", ConfigNode::make_texts(row.finding_lines));
  return node;
}

std::string findings_text(const std::vector<LaunchRow>& rows) {
  std::string text;
  for (const LaunchRow& row : rows)
    for (const std::string& line : row.finding_lines) text += fmt::format("launch {} {}\n", row.launch, line);
  return text;
}

std::string LaunchRow::outcome() const {
  if (!error.empty()) return not_run ? "not run" : "failed";
  if (is_incomparable()) return "not comparable";
  return !checked ? "" : equal ? "equal" : "different";
}

std::string LaunchRow::to_line() const { return line_of(to_node(*this)); }

void LaunchRow::take(estimate::LaunchEstimate launch_estimate, double core_clock_mhz) {
  estimate = std::move(launch_estimate);
  cycles = static_cast<std::uint64_t>(std::llround(estimate->cycles.value));
  instructions = estimate->instructions;
  time_us = estimate->cycles.value / core_clock_mhz;
  if (estimate->energy_nj) energy_pj = estimate->energy_nj->value * power::kPicojoulesOfNanojoule;
  if (estimate->dynamic_nj) dynamic_pj = estimate->dynamic_nj->value * power::kPicojoulesOfNanojoule;
}

std::string LaunchRow::estimated_by() const {
  if (!estimate) return {};
  if (estimate->like) return fmt::format("like {}", *estimate->like);
  return estimate->whole ? "whole" : "places";
}

std::string LaunchRow::refined_line(const estimate::LaunchEstimate& estimate, double core_clock_mhz) {
  ConfigNode node = ConfigNode::make_object();
  node.members.emplace_back(kAgain, ConfigNode::make_count(estimate.launch));
  node.members.emplace_back("core_clock_mhz", ConfigNode::make_number(core_clock_mhz));
  node.members.emplace_back("estimate", to_node(estimate));
  return line_of(node);
}

bool LaunchRow::is_refined_line(const std::string& line) {
  return line.find(fmt::format("\"{}\":", kAgain)) < line.find(':');
}

LaunchRow LaunchRow::from_line(const std::string& line, const std::string& where) {
  return row_of(parse_config_text(line, where));
}

std::vector<LaunchRow> read_rows(const std::string& file) {
  std::vector<LaunchRow> rows;
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (in.eof()) break;
    const ConfigNode node = parse_config_text(line, file);
    if (node.find(kAgain)) {
      if (LaunchRow* row = find(rows, count(node, kAgain)))
        row->take(estimate_of(member(node, "estimate")), member(node, "core_clock_mhz").number);
      continue;
    }
    rows.push_back(row_of(node));
    const std::optional<std::uint64_t> stands_for_it = rows.back().representative;
    if (!stands_for_it) continue;
    if (LaunchRow* stands = find(rows, *stands_for_it)) ++stands->represents;
  }
  return rows;
}

}  // namespace heddle::program
