#include "testbench/output/intervals.h"

#include <fmt/format.h>

#include "models/core/error.h"
#include "testbench/output/counter_view.h"

namespace heddle::output {
namespace {

struct Column {
  const char* name;
  const char* counter;
};

constexpr Column kColumns[] = {
    {"instructions", "sm.issue.issued"},
    {"lanes", "sm.issue.thread_instructions"},
    {"resident_warp_cycles", "sm.issue.resident_warp_cycles"},
    {"active_warp_cycles", "sm.issue.active_warp_cycles"},
    {"issue_slots", "sm.issue.issue_slots"},
    {"register_reads", "sm.partition.register_port.reads"},
    {"register_writes", "sm.partition.register_port.writes"},
    {"bank_reads", "sm.partition.banks.reads"},
    {"bank_writes", "sm.partition.banks.writes"},
    {"bank_conflict_cycles", "sm.partition.banks.conflict_cycles"},
    {"shared_passes", "sm.load_store.shared_passes"},
    {"segments", "sm.load_store.segments"},
    {"l1_accesses", "sm.load_store.l1_accesses"},
    {"l1_hits", "sm.load_store.l1_hits"},
    {"memory_bytes_read", "sm.load_store.memory_bytes_read"},
    {"memory_bytes_written", "sm.load_store.memory_bytes_written"},
};

}  // namespace

IntervalRecorder::IntervalRecorder(const StatsRegistry& stats, const power::EnergyAccount* energy,
                                   bool keep_samples, std::vector<std::string> counters)
    : stats_(&stats), energy_(energy), keep_samples_(keep_samples), counters_(std::move(counters)) {
  const CounterView none(*stats_, std::vector<std::uint64_t>(stats_->counters().size()));
  for (const std::string& counter : counters_)
    if (none.units(counter) == 0)
      throw Error("output.interval_counters", "this run has no counter " + counter,
                  "owner and name as in stats.csv, without the numbers of units: sm.partition.banks.reads");
  if (!energy_ || !keep_samples_) return;
  const power::EnergyReport nothing =
      energy_->report(std::vector<std::uint64_t>(stats_->counters().size()), 0);
  for (const power::StructureReport& structure : nothing.structures) structures_.push_back(structure.name);
}

void IntervalRecorder::keep(const Row& row, Cycle begin) {
  const CounterView view(*stats_, row.added);
  const auto cycles = static_cast<double>(row.end - begin);
  if (cycles == 0) return;
  IntervalSample sample;
  sample.begin = begin;
  sample.end = row.end;
  sample.ipc = static_cast<double>(view.sum("sm.issue.issued")) / cycles;
  sample.resident_warps = static_cast<double>(view.sum("sm.issue.resident_warp_cycles")) / cycles;
  sample.active_warps = static_cast<double>(view.sum("sm.issue.active_warp_cycles")) / cycles;
  if (energy_) {
    const power::EnergyReport report = energy_->report(row.added, row.end - begin);
    for (const power::StructureReport& structure : report.structures)
      sample.power_mw.push_back(report.milliwatts(structure.energy.spent.total()));
  }
  samples_.push_back(std::move(sample));
}

void IntervalRecorder::launch_begins() {
  before_ = stats_->snapshot();
  rows_.clear();
}

void IntervalRecorder::interval(Cycle cycle) { add_row(cycle); }

void IntervalRecorder::add_row(Cycle end) {
  std::vector<std::uint64_t> now = stats_->snapshot();
  Row row{end, now};
  for (std::size_t i = 0; i < now.size(); ++i) row.added[i] -= before_[i];
  before_ = std::move(now);
  rows_.push_back(std::move(row));
}

void IntervalRecorder::launch_ended(const run::LaunchRecord& record) {
  if (!record.timed) return;
  add_row(record.begin + record.cycles);
  Cycle begin = record.begin;
  for (const Row& row : rows_) {
    if (keep_samples_) keep(row, begin);
    const CounterView view(*stats_, row.added);
    const Cycle cycles = row.end - begin;
    const auto per_cycle = [&](std::uint64_t n) {
      return cycles ? static_cast<double>(n) / static_cast<double>(cycles) : 0.0;
    };
    text_ += fmt::format("{},{},{},{},{},{:.6f},{:.3f},{:.3f}", record.index, record.kernel, begin, row.end,
                         cycles, per_cycle(view.sum("sm.issue.issued")),
                         per_cycle(view.sum("sm.issue.resident_warp_cycles")),
                         per_cycle(view.sum("sm.issue.active_warp_cycles")));
    for (const Column& column : kColumns) text_ += fmt::format(",{}", view.sum(column.counter));
    for (const std::string& reason : stall_reasons(view))
      text_ += fmt::format(",{}", view.sum(kIdleSlots + reason));
    add_power(row, cycles);
    for (const std::string& counter : counters_) text_ += fmt::format(",{}", view.sum(counter));
    text_ += "\n";
    begin = row.end;
  }
  rows_.clear();
}

void IntervalRecorder::add_power(const Row& row, Cycle cycles) {
  if (!energy_) return;
  const power::EnergyReport report = energy_->report(row.added, cycles);
  text_ += fmt::format(",{:.6g},{:.6g}", report.milliwatts(report.total.spent.total()),
                       report.milliwatts(report.total.baseline.total()));
  for (const power::StructureReport& structure : report.structures)
    text_ += fmt::format(",{:.6g}", report.milliwatts(structure.energy.spent.total()));
}

std::string IntervalRecorder::make_csv() const {
  std::string text = "launch,kernel,begin_cycle,end_cycle,cycles,ipc,resident_warps,active_warps";
  for (const Column& column : kColumns) text += fmt::format(",{}", column.name);
  const CounterView none(*stats_, std::vector<std::uint64_t>(stats_->counters().size()));
  for (const std::string& reason : stall_reasons(none)) text += fmt::format(",idle_{}", reason);
  if (energy_) {
    text += ",power_mw,baseline_power_mw";
    const power::EnergyReport nothing =
        energy_->report(std::vector<std::uint64_t>(stats_->counters().size()), 0);
    for (const power::StructureReport& structure : nothing.structures)
      text += fmt::format(",power_mw_{}", structure.name);
  }
  for (const std::string& counter : counters_) text += "," + counter;
  return text + "\n" + text_;
}

}  // namespace heddle::output
