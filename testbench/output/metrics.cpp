#include "testbench/output/metrics.h"

#include "models/core/error.h"

namespace heddle::output {
namespace {

double ratio(double a, double b) { return b == 0 ? 0 : a / b; }

}  // namespace

Metrics::Metrics(const CounterView& counters, const GpuParameters& gpu, Cycle cycles) {
  const auto sum = [&](const char* name) { return static_cast<double>(counters.sum(name)); };
  const double issued = sum("sm.issue.issued"), time = static_cast<double>(cycles);
  const double words = sum("sm.issue.source_words") + sum("sm.issue.result_words");
  const double banks = sum("sm.partition.banks.reads") + sum("sm.partition.banks.writes");
  add("ipc", ratio(issued, time));
  add("ipc_per_sm", ratio(issued, time * gpu.sms));
  add("lanes_per_instruction", ratio(sum("sm.issue.thread_instructions"), issued));
  add("occupancy", ratio(sum("sm.issue.resident_warp_cycles"), time * gpu.sms * gpu.sm.max_warps));
  add("active_warps_per_sm", ratio(sum("sm.issue.active_warp_cycles"), time * gpu.sms));
  add("slot_use", ratio(issued, sum("sm.issue.issue_slots")));
  add_stalls(counters);
  add("register_accesses", words);
  add("pair_share", ratio(sum("sm.issue.pair_words"), words));
  add("bank_accesses", banks);
  add("bank_conflict_cycles_per_access", ratio(sum("sm.partition.banks.conflict_cycles"), banks));
  add_units(counters, cycles);
  add("shared_passes_per_access",
      ratio(sum("sm.load_store.shared_passes"), sum("sm.load_store.shared_accesses")));
  add("segments_per_access", ratio(sum("sm.load_store.segments"), sum("sm.load_store.global_instructions")));
  add("l1_hit_rate", ratio(sum("sm.load_store.l1_hits"), sum("sm.load_store.l1_accesses")));
  add("memory_bytes_per_cycle",
      ratio(sum("sm.load_store.memory_bytes_read") + sum("sm.load_store.memory_bytes_written"), time));
}

void Metrics::add_stalls(const CounterView& counters) {
  const auto slots = static_cast<double>(counters.sum("sm.issue.issue_slots"));
  for (const std::string& reason : stall_reasons(counters))
    add("stall_" + reason, ratio(static_cast<double>(counters.sum(kIdleSlots + reason)), slots));
}

void Metrics::add_units(const CounterView& counters, Cycle cycles) {
  const std::string before = "sm.partition.units.", after = ".busy_cycles";
  for (const auto& [name, places] : counters.classes()) {
    if (!name.starts_with(before) || !name.ends_with(after)) continue;
    const std::string unit = name.substr(before.size(), name.size() - before.size() - after.size());
    add("busy_" + unit, counters.share_of_cycles(name, cycles));
  }
}

void Metrics::add(std::string name, double value) { metrics_.push_back({std::move(name), value}); }

double Metrics::get(const std::string& name) const {
  for (const Metric& metric : metrics_)
    if (metric.name == name) return metric.value;
  throw InternalError("there is no metric " + name);
}

}  // namespace heddle::output
