#include "testbench/output/intervals.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "models/core/error.h"
#include "testbench/output/counter_view.h"

namespace heddle::output {
namespace {

struct NamedColumn {
  const char* name;
  const char* counter;
};

constexpr NamedColumn kColumns[] = {
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
  issued_ = none.counters("sm.issue.issued");
  resident_ = none.counters("sm.issue.resident_warp_cycles");
  active_ = none.counters("sm.issue.active_warp_cycles");
  for (const NamedColumn& column : kColumns) columns_.push_back(none.counters(column.counter));
  for (const std::string& reason : stall_reasons(none))
    columns_.push_back(none.counters(kIdleSlots + reason));
  idle_ = columns_.size();
  for (const std::string& counter : counters_) columns_.push_back(none.counters(counter));
  if (!energy_ || !keep_samples_) return;
  const power::EnergyReport nothing =
      energy_->report(std::vector<std::uint64_t>(stats_->counters().size()), 0);
  for (const power::StructureReport& structure : nothing.structures) structures_.push_back(structure.name);
}

void IntervalRecorder::keep(const Row& row, Cycle begin, const power::EnergyReport* energy) {
  const auto cycles = static_cast<double>(row.end - begin);
  if (cycles == 0) return;
  const auto per_cycle = [&](const Column& column) {
    return static_cast<double>(sum_of(row.added, column)) / cycles;
  };
  IntervalSample sample{begin, row.end, per_cycle(issued_), per_cycle(resident_), per_cycle(active_), {}};
  if (energy)
    for (const power::StructureReport& structure : energy->structures)
      sample.power_mw.push_back(energy->milliwatts(structure.energy.spent.total()));
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
    std::optional<power::EnergyReport> energy;
    if (energy_) energy = energy_->balances(row.added, row.end - begin);
    if (keep_samples_) keep(row, begin, energy ? &*energy : nullptr);
    add_text(record, row, begin, energy ? &*energy : nullptr);
    begin = row.end;
  }
  rows_.clear();
}

void IntervalRecorder::add_text(const run::LaunchRecord& record, const Row& row, Cycle begin,
                                const power::EnergyReport* energy) {
  const Cycle cycles = row.end - begin;
  const auto per_cycle = [&](const Column& column) {
    return cycles ? static_cast<double>(sum_of(row.added, column)) / static_cast<double>(cycles) : 0.0;
  };
  const auto out = std::back_inserter(text_);
  fmt::format_to(out, "{},{},{},{},{},{:.6f},{:.3f},{:.3f}", record.index, record.kernel, begin, row.end,
                 cycles, per_cycle(issued_), per_cycle(resident_), per_cycle(active_));
  const auto put = [&](std::size_t first, std::size_t end) {
    for (std::size_t c = first; c < end; ++c) fmt::format_to(out, ",{}", sum_of(row.added, columns_[c]));
  };
  put(0, idle_);
  if (energy) {
    fmt::format_to(out, ",{:.6g},{:.6g}", energy->milliwatts(energy->total.spent.total()),
                   energy->milliwatts(energy->total.baseline.total()));
    for (const power::StructureReport& structure : energy->structures)
      fmt::format_to(out, ",{:.6g}", energy->milliwatts(structure.energy.spent.total()));
  }
  put(idle_, columns_.size());
  text_ += "\n";
}

std::string IntervalRecorder::make_csv() const {
  std::string text = "launch,kernel,begin_cycle,end_cycle,cycles,ipc,resident_warps,active_warps";
  for (const NamedColumn& column : kColumns) text += fmt::format(",{}", column.name);
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
