#include "testbench/program/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "testbench/output/csv_text.h"

namespace heddle::program {
namespace {

constexpr int kFormat = 1;

/// Launches added up.
struct Sum {
  std::string kernel;
  std::uint64_t launches = 0, timed = 0, checked = 0, different = 0, instructions = 0, cycles = 0;
  double time_us = 0, energy_pj = 0, baseline_pj = 0;
  bool energy = false;

  void add(const LaunchRow& row) {
    ++launches;
    timed += row.timed;
    checked += row.checked;
    different += row.checked && !row.equal;
    instructions += row.instructions;
    cycles += row.cycles;
    time_us += row.time_us;
    energy = energy || row.energy_pj;
    energy_pj += row.energy_pj.value_or(0);
    baseline_pj += row.baseline_pj.value_or(0);
  }
};

/// By kernel in the order of their first launches, then all of them.
std::vector<Sum> sums_of(const std::vector<LaunchRow>& rows) {
  std::vector<Sum> sums;
  std::map<std::string, std::size_t> places;
  Sum all;
  all.kernel = "all";
  for (const LaunchRow& row : rows) {
    const auto [place, first] = places.emplace(row.mangled, sums.size());
    if (first) sums.emplace_back().kernel = row.kernel;
    sums[place->second].add(row);
    all.add(row);
  }
  sums.push_back(all);
  return sums;
}

ConfigNode node_of(const Sum& sum) {
  ConfigNode node = ConfigNode::make_object();
  const auto count = [&node](const char* key, std::uint64_t value) {
    node.members.emplace_back(key, ConfigNode::make_count(value));
  };
  node.members.emplace_back("kernel", ConfigNode::make_string(sum.kernel));
  count("launches", sum.launches);
  count("timed", sum.timed);
  count("checked", sum.checked);
  count("different", sum.different);
  count("instructions", sum.instructions);
  count("cycles", sum.cycles);
  node.members.emplace_back("time_us", ConfigNode::make_number(sum.time_us));
  if (sum.energy) {
    node.members.emplace_back("energy_pj", ConfigNode::make_number(sum.energy_pj));
    node.members.emplace_back("baseline_pj", ConfigNode::make_number(sum.baseline_pj));
  }
  return node;
}

std::string times(const isa::Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

}  // namespace

ProgramResults::ProgramResults(const ExecParameters& parameters, std::vector<std::string> command)
    : parameters_(parameters), command_(std::move(command)) {
  const std::string& folder = parameters_.run.output.folder;
  if (folder.empty()) return;
  folder_ = std::make_unique<run::OutFolder>(folder);
  folder_->expect({"program.json", "launches.csv"}, parameters_.run.read_from, "--out");
}

ConfigNode ProgramResults::tree(const ProgramEnd& end) const {
  ConfigNode node = ConfigNode::make_object();
  node.members.emplace_back("format", ConfigNode::make_integer(kFormat));
  ConfigNode command = ConfigNode::make_list(), launches = ConfigNode::make_list(),
             kernels = ConfigNode::make_list();
  for (const std::string& word : command_) command.items.push_back(ConfigNode::make_string(word));
  node.members.emplace_back("command", std::move(command));
  node.members.emplace_back("gpu", ConfigNode::make_string(parameters_.run.gpu.name));
  ConfigNode techniques = ConfigNode::make_list();
  for (const std::string& name : parameters_.run.techniques)
    techniques.items.push_back(ConfigNode::make_string(name));
  node.members.emplace_back("techniques", std::move(techniques));
  ConfigNode ended = ConfigNode::make_object();
  ended.members.emplace_back("status", ConfigNode::make_integer(end.status));
  if (end.signal) ended.members.emplace_back("signal", ConfigNode::make_integer(end.signal));
  ended.members.emplace_back("interrupted", ConfigNode::make_boolean(end.interrupted));
  node.members.emplace_back("end", std::move(ended));
  std::vector<Sum> sums = sums_of(end.launches);
  node.members.emplace_back("total", node_of(sums.back()));
  sums.pop_back();
  for (const Sum& sum : sums) kernels.items.push_back(node_of(sum));
  node.members.emplace_back("kernels", std::move(kernels));
  for (const LaunchRow& row : end.launches) launches.items.push_back(to_node(row));
  node.members.emplace_back("launches", std::move(launches));
  return node;
}

std::string ProgramResults::json(const ProgramEnd& end) const { return to_json(tree(end)); }

std::string ProgramResults::csv(const ProgramEnd& end) const {
  std::string text =
      "launch,kernel,grid,block,shared_bytes,registers,instructions,timed,ctas_timed,cycles,time_us,energy_"
      "pj,"
      "baseline_pj,check,difference,captured\n";
  for (const LaunchRow& row : end.launches) {
    const auto energy = [](const std::optional<double>& pj) { return pj ? fmt::format("{}", *pj) : ""; };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.launch,
                        output::csv_field(row.kernel), times(row.grid), times(row.block), row.shared_bytes,
                        row.registers ? std::to_string(row.registers) : "", row.instructions,
                        row.timed ? "yes" : "no", row.timed ? std::to_string(row.ctas_timed) : "",
                        row.timed ? std::to_string(row.cycles) : "", row.time_us, energy(row.energy_pj),
                        energy(row.baseline_pj),
                        !row.checked ? ""
                        : row.equal  ? "equal"
                                     : "different",
                        output::csv_field(row.difference), output::csv_field(row.captured));
  }
  return text;
}

void ProgramResults::write(const ProgramEnd& end) {
  if (!folder_) return;
  folder_->write("program.json", json(end));
  folder_->write("launches.csv", csv(end));
  folder_->commit();
}

std::string ProgramResults::summary(const ProgramEnd& end) const {
  const std::vector<Sum> sums = sums_of(end.launches);
  std::string text = fmt::format("\n{:<32} {:>8} {:>7} {:>14} {:>12} {:>12}  {}\n", "kernel", "launches",
                                 "timed", "instructions", "cycles", "energy (uJ)", "check");
  for (const Sum& sum : sums) {
    const std::string check = sum.different ? fmt::format("{} DIFFERENT", sum.different)
                              : sum.checked ? fmt::format("{} equal", sum.checked)
                                            : "";
    text += fmt::format("{:<32.32} {:>8} {:>7} {:>14} {:>12} {:>12}  {}\n", sum.kernel, sum.launches,
                        sum.timed, sum.instructions, sum.timed ? std::to_string(sum.cycles) : "",
                        sum.energy ? fmt::format("{:.3f}", sum.energy_pj / 1e6) : "", check);
  }
  for (const LaunchRow& row : end.launches)
    if (row.checked && !row.equal)
      text += fmt::format("launch {} {}: {}\n", row.launch, row.kernel, row.difference);
  std::uint64_t outside = 0;
  for (const LaunchRow& row : end.launches) outside += row.outside_reads;
  if (outside)
    text += fmt::format("{} reads of threads just outside of an allocation (--lenient)\n", outside);
  if (folder_) text += fmt::format("results in {}\n", folder_->path());
  return text;
}

}  // namespace heddle::program
