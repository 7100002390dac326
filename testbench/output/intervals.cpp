#include "testbench/output/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/core/error.h"
#include "models/core/unknown_name.h"
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

[[noreturn]] void refuse_counter(const std::string& counter, const CounterView& known) {
  std::vector<std::string> names;
  for (const CounterClass& one : known.classes()) names.push_back(one.name);
  throw Error("output.interval_counters", "this run has no counter " + counter + did_you_mean(counter, names),
              "owner and name as in stats.csv, without the numbers of units: sm.partition.banks.reads");
}

}  // namespace

IntervalRecorder::IntervalRecorder(const StatsRegistry& stats, launch::NewFile* file,
                                   const power::EnergyAccount* energy, bool keep_samples,
                                   std::vector<std::string> counters)
    : stats_(&stats),
      file_(file),
      energy_(energy),
      keep_samples_(keep_samples),
      counters_(std::move(counters)) {
  const CounterView none(*stats_, std::vector<std::uint64_t>(stats_->counters().size()));
  for (const std::string& counter : counters_)
    if (none.units(counter) == 0) refuse_counter(counter, none);
  issued_ = none.counters("sm.issue.issued");
  resident_ = none.counters("sm.issue.resident_warp_cycles");
  active_ = none.counters("sm.issue.active_warp_cycles");
  for (const NamedColumn& column : kColumns) columns_.push_back(none.counters(column.counter));
  for (const std::string& reason : stall_reasons(none))
    columns_.push_back(none.counters(kIdleSlots + reason));
  idle_ = columns_.size();
  for (const std::string& counter : counters_) columns_.push_back(none.counters(counter));
  if (file_) add_heading();
  if (!energy_ || !keep_samples_) return;
  const power::EnergyReport nothing =
      energy_->report(std::vector<std::uint64_t>(stats_->counters().size()), 0);
  for (const power::StructureReport& structure : nothing.structures) structures_.push_back(structure.name);
}

void IntervalSample::add(const IntervalSample& next) {
  const auto before = static_cast<double>(cycles), more = static_cast<double>(next.cycles);
  const auto mix = [&](double& into, double value) {
    into = (into * before + value * more) / std::max(before + more, 1.0);
  };
  mix(ipc, next.ipc);
  mix(resident_warps, next.resident_warps);
  mix(active_warps, next.active_warps);
  for (std::size_t s = 0; s < power_mw.size(); ++s) mix(power_mw[s], next.power_mw[s]);
  end = next.end;
  cycles += next.cycles;
}

std::vector<IntervalSample> merged(const std::vector<IntervalSample>& samples, std::size_t group) {
  if (group <= 1) return samples;
  std::vector<IntervalSample> out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i % group == 0)
      out.push_back(samples[i]);
    else
      out.back().add(samples[i]);
  }
  return out;
}

void IntervalRecorder::keep(const Row& row, const power::EnergyReport* energy) {
  const auto cycles = static_cast<double>(row.cycles());
  if (cycles == 0) return;
  const auto per_cycle = [&](const Column& column) {
    return static_cast<double>(sum_of(row.added, column)) / cycles;
  };
  IntervalSample sample{row.begin,          row.end, row.cycles(), per_cycle(issued_), per_cycle(resident_),
                        per_cycle(active_), {}};
  if (energy)
    for (const power::StructureReport& structure : energy->structures)
      sample.power_mw.push_back(energy->milliwatts(structure.energy.spent.total()));
  if (in_group_ > 0 && in_group_ < group_) {
    samples_.back().add(sample);
    ++in_group_;
    return;
  }
  if (samples_.size() == kMostSamples) {
    samples_ = merged(samples_, 2);
    group_ *= 2;
  }
  samples_.push_back(std::move(sample));
  in_group_ = 1;
}

void IntervalRecorder::launch_begins(const isa::KernelLaunch& launch) {
  before_ = stats_->snapshot();
  has_rows_ = false;
  launch_ = launch.id.value;
  kernel_ = launch.program->kernel;
}

void IntervalRecorder::interval(Cycle launch_begin, Cycle cycle) {
  add_row(has_rows_ ? last_end_ : launch_begin, cycle);
}

void IntervalRecorder::launch_ended(const run::LaunchRecord& record) {
  if (record.timed) add_row(has_rows_ ? last_end_ : record.begin, record.begin + record.cycles);
}

void IntervalRecorder::add_row(Cycle begin, Cycle end) {
  std::vector<std::uint64_t> now = stats_->snapshot();
  Row row{begin, end, now};
  for (std::size_t i = 0; i < now.size(); ++i) row.added[i] -= before_[i];
  before_ = std::move(now);
  has_rows_ = true;
  last_end_ = end;
  std::optional<power::EnergyReport> energy;
  if (energy_) energy = energy_->balances(row.added, row.cycles());
  if (keep_samples_) keep(row, energy ? &*energy : nullptr);
  if (file_) add_text(row, energy ? &*energy : nullptr);
}

void IntervalRecorder::add_text(const Row& row, const power::EnergyReport* energy) {
  const Cycle cycles = row.cycles();
  const auto per_cycle = [&](const Column& column) {
    return cycles ? static_cast<double>(sum_of(row.added, column)) / static_cast<double>(cycles) : 0.0;
  };
  fmt::memory_buffer text;
  const auto out = fmt::appender(text);
  fmt::format_to(out, "{},{},{},{},{},{:.6f},{:.3f},{:.3f}", launch_, kernel_, row.begin, row.end, cycles,
                 per_cycle(issued_), per_cycle(resident_), per_cycle(active_));
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
  text.push_back('\n');
  file_->write({text.data(), text.size()});
}

void IntervalRecorder::add_heading() {
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
  file_->write(text + "\n");
}

}  // namespace heddle::output
