#include "testbench/view/view_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.h"
#include "models/ports/register_stage.h"
#include "models/ptx/kernel_name.h"
#include "models/sm/cta_table.h"
#include "models/sm/issue_stage.h"
#include "testbench/view/recording_json.h"

namespace heddle::view {
namespace {

// Instructions that issued up to this many cycles before the window are kept, because they may still be in
// flight when the window begins.
constexpr Cycle kEarlierCycles = 5000;
constexpr std::size_t kMostCells = 64;  // largest number of cells of a gauge of the form `cells`: a bit each
// Approximate numbers of bytes in the page: for one change, for one cycle, and for one instruction. With
// these numbers, the recorder estimates when the page is full.
constexpr std::uint64_t kChangeBytes = 6, kCycleBytes = 8, kInstructionBytes = 150;

PipelineParameters pipeline_window(const ViewParameters& p) {
  PipelineParameters window;
  window.sms = {p.sm};
  window.from_cycle = p.from_cycle > kEarlierCycles ? p.from_cycle - kEarlierCycles : 0;
  window.to_cycle = p.to_cycle;
  window.max_instructions = std::max<std::uint64_t>(1000, p.max_bytes / kInstructionBytes);
  return window;
}

// Returns true if `name` is a counter of the module `wanted`. If `wanted` ends with "_", returns true if
// `name` begins with `wanted`.
bool is_in_part(const std::string& name, const std::string& wanted) {
  return name.starts_with(wanted) && (wanted.ends_with('_') || name[wanted.size()] == '.');
}

// Returns true for counters of cycles and slots. Such a counter may grow later, for many cycles at once, so
// the page does not show its changes as events.
bool counts_time(const CounterInfo& info) {
  return info.unit.find("cycles") != std::string::npos || info.unit == "slots";
}

}  // namespace

ViewParameters checked(const ViewParameters& p, std::size_t sms) {
  if (static_cast<std::size_t>(p.sm) >= sms)
    throw Error("--sm", fmt::format("there is no SM {}", p.sm), fmt::format("0 to {}", sms - 1));
  if (p.to_cycle && p.to_cycle < p.from_cycle)
    throw Error("--to", fmt::format("{} lies before --from {}", p.to_cycle, p.from_cycle),
                fmt::format("{} or more", p.from_cycle));
  return p;
}

ViewRecorder::ViewRecorder(const ViewParameters& parameters, Gpu& gpu, const StatsRegistry& stats)
    : parameters_(checked(parameters, gpu.sms().size())),
      gpu_(gpu),
      sm_(gpu.sm(static_cast<std::size_t>(parameters.sm))) {
  if (!parameters_.to_cycle && parameters_.from_cycle)
    parameters_.to_cycle = parameters_.from_cycle + kWindowCycles - 1;
  made_.sm = parameters_.sm;
  made_.gpu = gpu.parameters().name;
  made_.warps = sm_.issue().max_warps();
  made_.shared_banks = sm_.parameters().load_store.shared.banks;
  made_.shared_bank_bytes = sm_.parameters().load_store.shared.bank_width_bytes;
  const std::string root = fmt::format("sm{}", parameters_.sm);
  ProbeList list;
  sm_.probes(ProbeScope(list, root));
  add_parts(list, root);
  add_counters(stats);
  attach(list, root);
  pipeline_ = std::make_unique<output::PipelineRecorder>(pipeline_window(parameters_), gpu,
                                                         output::PipelineDetail::addresses);
  sm_.clock().observe([this](Cycle cycle) { sample(cycle); });
}

std::size_t ViewRecorder::part_of(const std::string& path) {
  for (std::size_t p = 0; p < made_.parts.size(); ++p)
    if (made_.parts[p].path == path) return p;
  made_.parts.push_back({path, {}, 0, {}, 0});
  return made_.parts.size() - 1;
}

// Adds those parts of the SM that declare a description, gauges or counters. The page does not draw a part
// that declares only probe points.
void ViewRecorder::add_parts(const ProbeList& list, const std::string& root) {
  for (const ProbeList::Part& part : list.parts) {
    const PartPicture& picture = part.picture;
    if (picture.doc.empty() && picture.gauges.empty() && picture.counters.empty()) continue;
    made_.parts[part_of(part.path.substr(root.size() + 1))].picture = picture;
  }
  for (RecordedPart& part : made_.parts) {
    part.first_gauge = gauges_.size();
    for (const Gauge& gauge : part.picture.gauges) gauges_.push_back({&gauge, {}, false});
  }
}

// Adds each counter to one part of the page. A part lists names of its counters, or beginnings of names
// (PartPicture::counters). If listed names of several parts match a counter, the part with the longest such
// name gets the counter.
void ViewRecorder::add_counters(const StatsRegistry& stats) {
  std::vector<std::vector<const CounterInfo*>> of_part(made_.parts.size());
  for (const CounterInfo& info : stats.counters()) {
    if (counts_time(info)) continue;
    const std::string name = info.full_name();
    std::size_t best = made_.parts.size(), length = 0;
    for (std::size_t p = 0; p < made_.parts.size(); ++p)
      for (const std::string& wanted : made_.parts[p].picture.counters)
        if (wanted.size() > length && is_in_part(name, wanted)) {
          best = p;
          length = wanted.size();
        }
    if (best != made_.parts.size()) of_part[best].push_back(&info);
  }
  for (std::size_t p = 0; p < made_.parts.size(); ++p) {
    made_.parts[p].first_counter = counters_.size();
    for (const CounterInfo* info : of_part[p]) {
      made_.parts[p].counters.push_back(
          {std::string(info->name), std::string(info->unit), std::string(info->doc)});
      counters_.push_back({info->counter, 0});
    }
  }
}

void ViewRecorder::attach(const ProbeList& list, const std::string& root) {
  for (const ProbeList::Part& part : list.parts)
    for (ProbePoint* point : part.points)
      if (Probe<PassPoint>* passes = point->as<PassPoint>()) {
        const auto number = static_cast<std::uint32_t>(part_of(part.path.substr(root.size() + 1)));
        passes->attach([this, number](const RegisterAccess& access, const void*) {
          if (!begun_ || ended_) return;
          at(sm_.clock().now())
              .passes.push_back({number, access.command, static_cast<std::uint16_t>(access.warp.value),
                                 static_cast<std::uint8_t>(access.home.value),
                                 static_cast<std::uint8_t>(access.row.value), access.place});
          bytes_ += 4 * kChangeBytes;
        });
      }
}

void ViewRecorder::launch_begins(const isa::KernelLaunch& launch) {
  if (ended_) return;
  made_.kernels.resize(std::max<std::size_t>(made_.kernels.size(), launch.id.value + 1));
  made_.kernels[launch.id.value] = ptx::plain_name(launch.program->kernel);
  if (armed_ || launch.id.value < parameters_.launch) return;
  armed_ = true;
  issued_before_ = sm_.issue().issued();
  if (!parameters_.from_cycle) pipeline_->forget();
}

RecordedCycle& ViewRecorder::at(Cycle cycle) {
  if (last_sample_ != kNever && cycle > last_sample_ + 1) end_pulses(last_sample_ + 1);
  if (made_.cycles.empty() || made_.cycles.back().cycle != cycle) {
    made_.cycles.emplace_back().cycle = cycle;
    bytes_ += kCycleBytes;
  }
  return made_.cycles.back();
}

void ViewRecorder::end_pulses(Cycle cycle) {
  std::vector<GaugeChange> changes;
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    Watched& watched = gauges_[g];
    if (!watched.pulses) continue;
    for (std::size_t cell = 0; cell < watched.before.size(); ++cell)
      if (std::exchange(watched.before[cell], 0) != 0)
        changes.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(cell), 0});
    watched.pulses = false;
  }
  if (!changes.empty()) made_.cycles.push_back({cycle, std::move(changes), {}, {}});
}

// If the user has stated where the window begins, gauges and counters are also read before the window. Their
// values at the beginning of the window are then known.
void ViewRecorder::sample(Cycle cycle) {
  if (ended_) return;
  if (!begun_) {
    if (cycle < parameters_.from_cycle) {
      std::vector<GaugeChange> ignored;
      if (cycle + kEarlierCycles >= parameters_.from_cycle) read_gauges(cycle, ignored);
      return remember_counters();
    }
    const bool issued = armed_ && sm_.issue().issued() != issued_before_;
    if (!parameters_.from_cycle && !issued) return parameters_.launch ? remember_counters() : void();
    begin(cycle);
  }
  if (cycle > parameters_.to_cycle || bytes_ > parameters_.max_bytes) {
    ended_ = true;
    made_.cut = cycle <= parameters_.to_cycle;
    made_.to = made_.cut ? last_sample_ : parameters_.to_cycle;
    return;
  }
  // Bring the SM's counters of cycles up to date. Do not do this after the last CTA of a launch, because
  // these counters do not count cycles without a CTA.
  if (!sm_.ctas().empty()) sm_.settle(cycle + 1);
  RecordedCycle& to = at(cycle);
  read_gauges(cycle, to.gauges);
  read_counters(to);
  last_sample_ = cycle;
}

void ViewRecorder::remember_counters() {
  for (Counted& counted : counters_) counted.before = counted.counter->value();
}

void ViewRecorder::begin(Cycle cycle) {
  begun_ = true;
  if (!parameters_.from_cycle) parameters_.from_cycle = cycle;
  if (!parameters_.to_cycle) parameters_.to_cycle = parameters_.from_cycle + kWindowCycles - 1;
  made_.from = parameters_.from_cycle;
  std::vector<GaugeChange> first;
  for (std::size_t g = 0; g < gauges_.size(); ++g)
    for (std::size_t cell = 0; cell < gauges_[g].before.size(); ++cell)
      if (std::uint64_t& value = gauges_[g].before[cell]; value != 0) {
        if (gauges_[g].gauge->momentary)
          value = 0;
        else
          first.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(cell), value});
      }
  if (!first.empty()) made_.cycles.push_back({made_.from, std::move(first), {}, {}});
}

void ViewRecorder::read_gauges(Cycle cycle, std::vector<GaugeChange>& changes) {
  for (std::size_t g = 0; g < gauges_.size(); ++g) {
    Watched& watched = gauges_[g];
    values_.clear();
    watched.gauge->read(cycle, values_);
    if (watched.gauge->form == Gauge::Form::cells) {
      const std::uint64_t mask = values_.empty() ? 0 : values_.front();
      values_.resize(std::min<std::uint64_t>(watched.gauge->most, kMostCells));
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = mask >> i & 1;
    }
    if (watched.before.size() < values_.size()) watched.before.resize(values_.size());
    values_.resize(watched.before.size());
    watched.pulses = false;
    for (std::size_t cell = 0; cell < values_.size(); ++cell) {
      watched.pulses |= watched.gauge->momentary && values_[cell] != 0;
      if (values_[cell] == watched.before[cell]) continue;
      changes.push_back({static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(cell), values_[cell]});
      if (begun_) bytes_ += kChangeBytes;
    }
    std::swap(watched.before, values_);
  }
}

void ViewRecorder::read_counters(RecordedCycle& to) {
  for (std::size_t c = 0; c < counters_.size(); ++c) {
    const std::uint64_t value = counters_[c].counter->value();
    if (value == counters_[c].before) continue;
    to.counters.push_back({static_cast<std::uint32_t>(c), value - counters_[c].before});
    counters_[c].before = value;
    bytes_ += kChangeBytes;
  }
}

Recording ViewRecorder::take() {
  made_.log = pipeline_->take();
  if (!armed_)
    throw Error(
        "--launch", fmt::format("there is no launch {}", parameters_.launch),
        made_.kernels.empty() ? "a run that is timed" : fmt::format("0 to {}", made_.kernels.size() - 1));
  if (!begun_) {
    std::string others;
    for (std::size_t s = 0; s < gpu_.sms().size(); ++s)
      if (gpu_.sm(s).issue().issued() != 0) others += (others.empty() ? "" : ", ") + std::to_string(s);
    if (parameters_.from_cycle && sm_.issue().issued() != 0)
      throw Error("--from",
                  fmt::format("SM {} does nothing from cycle {} on", parameters_.sm, parameters_.from_cycle),
                  fmt::format("at most {}, the cycle of its last issue", sm_.issue().last_issue()));
    throw Error("--sm", fmt::format("SM {} issues no instruction in this run", parameters_.sm),
                others.empty() ? "a run that is timed" : "one of " + others);
  }
  if (!ended_) made_.to = std::min(parameters_.to_cycle, last_sample_);
  if (made_.log.stops_at != kNever && made_.log.stops_at <= made_.to) {
    made_.cut = true;
    made_.to = made_.log.stops_at - 1;
  }
  keep_window(made_.to);
  if (const Cycle last = last_cycle_within(made_, parameters_.max_bytes); last < made_.to) {
    made_.cut = true;
    keep_window(made_.to = last);
  }
  return std::move(made_);
}

// Removes recorded cycles, instructions and steps outside of the window, which ends with cycle `last`. The
// run may end with the window, so later steps are known for only some instructions.
void ViewRecorder::keep_window(Cycle last) {
  std::erase_if(made_.cycles, [last](const RecordedCycle& cycle) { return cycle.cycle > last; });
  std::vector<output::PipelineInstruction>& all = made_.log.instructions;
  std::erase_if(all, [&](const output::PipelineInstruction& one) {
    return one.issued > last || (one.completed != kNever && one.completed < made_.from);
  });
  for (output::PipelineInstruction& one : all) {
    if (one.dispatched > last) {
      for (output::PipelineOperand& source : one.sources) source.values.clear();
      one.addresses.lanes.clear();
    }
    if (one.completed > last) one.results.clear();
    for (Cycle* step : {&one.prepared, &one.held, &one.dispatched, &one.left, &one.completed})
      if (*step > last) *step = kNever;
  }
}

}  // namespace heddle::view
