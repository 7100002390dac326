#include "testbench/program/program_estimate.h"

#include <filesystem>
#include <fstream>

#include "models/core/error.h"
#include "power/energy_units.h"
#include "testbench/output/paired_node.h"

namespace heddle::program {
namespace {

ConfigNode interval_node(const estimate::Interval& interval, double unit) {
  ConfigNode node = ConfigNode::make_object();
  for (const auto& [key, value] :
       {std::pair{"value", interval.value}, {"low", interval.low}, {"high", interval.high}})
    node.members.emplace_back(key, ConfigNode::make_number(value * unit));
  return node;
}

estimate::Interval interval_of(const ConfigNode& node, double unit) {
  const auto at = [&](const char* key) {
    const ConfigNode* const found = node.find(key);
    if (!found) throw Error(node.file, std::string("an interval without ") + key);
    return found->number / unit;
  };
  return {at("value"), at("low"), at("high")};
}

}  // namespace

std::string estimate_file(const std::string& work, unsigned process) {
  return work + "/estimate-" + std::to_string(process) + ".json";
}

ConfigNode to_node(const estimate::LaunchEstimate& estimate) {
  ConfigNode node = ConfigNode::make_object();
  const auto put = [&node](const char* key, ConfigNode value) {
    node.members.emplace_back(key, std::move(value));
  };
  put("whole", ConfigNode::make_boolean(estimate.whole));
  if (estimate.like) put("like", ConfigNode::make_count(*estimate.like));
  put("instructions", ConfigNode::make_count(estimate.instructions));
  put("instructions_timed", ConfigNode::make_count(estimate.instructions_timed));
  put("order_dependent", ConfigNode::make_boolean(estimate.order_dependent));
  if (estimate.waves) put("waves", ConfigNode::make_count(estimate.waves));
  put("cycles", interval_node(estimate.cycles, 1));
  if (estimate.energy_nj) put("energy_pj", interval_node(*estimate.energy_nj, power::kPicojoulesOfNanojoule));
  if (estimate.dynamic_nj)
    put("dynamic_pj", interval_node(*estimate.dynamic_nj, power::kPicojoulesOfNanojoule));
  if (!estimate.paired.empty()) put("paired", output::paired_node(estimate.paired));
  return node;
}

estimate::LaunchEstimate estimate_of(const ConfigNode& node) {
  estimate::LaunchEstimate estimate;
  const auto count = [&node](const char* key) {
    const ConfigNode* const found = node.find(key);
    return found ? static_cast<std::uint64_t>(found->integer) : 0;
  };
  if (const ConfigNode* whole = node.find("whole")) estimate.whole = whole->boolean;
  if (node.find("like")) estimate.like = static_cast<std::uint32_t>(count("like"));
  estimate.instructions = count("instructions");
  estimate.instructions_timed = count("instructions_timed");
  estimate.waves = count("waves");
  if (const ConfigNode* order = node.find("order_dependent")) estimate.order_dependent = order->boolean;
  if (const ConfigNode* cycles = node.find("cycles")) estimate.cycles = interval_of(*cycles, 1);
  if (const ConfigNode* energy = node.find("energy_pj"))
    estimate.energy_nj = interval_of(*energy, power::kPicojoulesOfNanojoule);
  if (const ConfigNode* dynamic = node.find("dynamic_pj"))
    estimate.dynamic_nj = interval_of(*dynamic, power::kPicojoulesOfNanojoule);
  if (const ConfigNode* paired = node.find("paired")) estimate.paired = output::paired_of(*paired);
  return estimate;
}

void write_estimate(const estimate::LaunchEstimate& estimate, const std::string& file) {
  std::ofstream out(file);
  out << to_json(to_node(estimate));
  out.close();
  if (!out) throw Error(file, "cannot write this file");
}

std::optional<estimate::LaunchEstimate> read_estimate(const std::string& file) {
  if (std::error_code ec; !std::filesystem::exists(file, ec)) return std::nullopt;
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return estimate_of(parse_config_text(text, file));
}

// Adds the estimates of all processes. The half-widths of their confidence intervals are added (not the
// squares), because the errors of processes that run the same kernels may be equal. Launches are numbered
// consecutively through all processes.
std::optional<estimate::LaunchEstimate> read_estimates(const std::string& work,
                                                       const std::vector<std::uint64_t>& launches,
                                                       double unsampled_percent) {
  std::vector<estimate::LaunchEstimate> all;
  for (unsigned process = 0; process < launches.size(); ++process) {
    auto one = read_estimate(estimate_file(work, process));
    if (!one && launches[process]) return std::nullopt;
    if (one) all.push_back(std::move(*one));
  }
  if (all.empty()) return std::nullopt;
  if (all.size() == 1) return all.front();
  estimate::EstimateTotals totals(unsampled_percent / 100);
  std::vector<estimate::PairedPlace> paired;
  for (const estimate::LaunchEstimate& one : all) {
    totals.add(one, 0);
    const std::uint32_t before = paired.empty() ? 0 : paired.back().launch + 1;
    for (estimate::PairedPlace place : one.paired) {
      place.launch += before;
      paired.push_back(place);
    }
  }
  estimate::LaunchEstimate total = totals.total();
  total.paired = std::move(paired);
  return total;
}

}  // namespace heddle::program
