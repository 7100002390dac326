#include "testbench/program/kernel_counts.h"

#include <algorithm>

#include "models/core/error.h"
#include "testbench/output/metrics.h"
#include "testbench/output/pricing.h"
#include "testbench/output/result_file.h"

namespace heddle::program {
namespace {

constexpr const char *kCycles = "cycles", *kLongest = "longest", *kCounters = "counters";

void put_count(ConfigNode& node, const char* key, std::uint64_t value) {
  node.members.emplace_back(key, ConfigNode::make_count(value));
}

ConfigNode& member_of(ConfigNode& node, const char* key) {
  ConfigNode* const found = node.find(key);
  if (!found) throw Error(node.file, std::string("counts of a kernel without ") + key);
  return *found;
}

// Adds the counts of the same kernel from another process. The sum has the shape (grid and block) of the
// longest launch of both processes.
void merge_kernel(ConfigNode& sum, ConfigNode more) {
  member_of(sum, kCycles).integer += member_of(more, kCycles).integer;
  add_counters(member_of(sum, kCounters), member_of(more, kCounters));
  if (member_of(more, kLongest).integer <= member_of(sum, kLongest).integer) return;
  for (const char* key : {kCycles, kCounters}) member_of(more, key) = std::move(member_of(sum, key));
  sum = std::move(more);
}

}  // namespace

void KernelCounts::add(const std::string& kernel, const LaunchShape& shape,
                       const std::vector<std::uint64_t>& counters, std::uint64_t cycles) {
  Sum& sum = kernels_[kernel];
  sum.cycles += cycles;
  if (cycles >= sum.longest) {
    sum.longest = cycles;
    sum.shape = shape;
  }
  sum.counters.resize(counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i) sum.counters[i] += counters[i];
}

ConfigNode KernelCounts::tree(const StatsRegistry& stats) const {
  ConfigNode kernels = ConfigNode::make_object();
  for (const auto& [kernel, sum] : kernels_) {
    ConfigNode node = ConfigNode::make_object(), counters = ConfigNode::make_object();
    put_count(node, kCycles, sum.cycles);
    put_count(node, kLongest, sum.longest);
    put_count(node, "ctas", sum.shape.ctas);
    put_count(node, "ctas_per_sm", sum.shape.ctas_per_sm);
    put_count(node, "registers", sum.shape.registers);
    put_count(node, "shared_bytes", sum.shape.shared_bytes);
    node.members.emplace_back("load_waits", output::load_waits_node(sum.shape.load_waits));
    for (std::size_t i = 0; i < sum.counters.size(); ++i)
      put_count(counters, stats.counters()[i].full_name().c_str(), sum.counters[i]);
    node.members.emplace_back(kCounters, std::move(counters));
    kernels.members.emplace_back(kernel, std::move(node));
  }
  return kernels;
}

void add_counters(ConfigNode& sum, const ConfigNode& more) {
  const bool same =
      std::equal(sum.members.begin(), sum.members.end(), more.members.begin(), more.members.end(),
                 [](const auto& one, const auto& other) { return one.first == other.first; });
  if (!same) throw Error(more.file, "other counters than those of the program's first process");
  for (std::size_t i = 0; i < sum.members.size(); ++i)
    sum.members[i].second.integer += more.members[i].second.integer;
}

void merge_kernel_counts(ConfigNode& sum, ConfigNode more) {
  for (auto& [kernel, entry] : more.members) {
    if (ConfigNode* const known = sum.find(kernel))
      merge_kernel(*known, std::move(entry));
    else
      sum.members.emplace_back(kernel, std::move(entry));
  }
}

ConfigNode kernel_figures(const ConfigNode& entry, const GpuParameters& gpu) {
  const output::StoredCounters counters(*entry.find(kCounters));
  const output::CounterView view(counters.registry(), counters.values());
  const output::Metrics metrics(view, gpu, static_cast<Cycle>(entry.find(kCycles)->integer));
  ConfigNode node = ConfigNode::make_object();
  for (const auto& [key, value] : entry.members)
    if (key != kCounters && key != kLongest) node.members.emplace_back(key, value);
  ConfigNode values = ConfigNode::make_object(), sums = ConfigNode::make_object();
  for (const output::Metric& metric : metrics.all())
    values.members.emplace_back(metric.name, ConfigNode::make_number(metric.value));
  for (std::size_t i = 0; i < view.sums().size(); ++i)
    put_count(sums, view.classes()[i].name.c_str(), view.sums()[i]);
  node.members.emplace_back("metrics", std::move(values));
  node.members.emplace_back(kCounters, std::move(sums));
  return node;
}

}  // namespace heddle::program
