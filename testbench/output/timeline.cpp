#include "testbench/output/timeline.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/ptx/kernel_name.h"
#include "models/sm/issue_stage.h"
#include "testbench/output/power_signals.h"

namespace heddle::output {
namespace {

using Activity = WarpActivity;

Activity shown(Activity activity) { return activity == Activity::ready ? Activity::issuing : activity; }

// The states that are shown as slices, in the order of TimelineRecorder::state_names.
constexpr Activity kStates[] = {Activity::issuing, Activity::dependence, Activity::memory,   Activity::fetch,
                                Activity::barrier, Activity::fence,      Activity::draining, Activity::async};

}  // namespace

class TimelineRecorder::SmObserver : public tlm::tlm_analysis_if<LifeEvent> {
 public:
  SmObserver(TimelineRecorder& recorder, Sm& sm, std::uint16_t number)
      : recorder_(&recorder),
        sm_(&sm),
        number_(number),
        warps_(static_cast<std::size_t>(sm.issue().max_warps())),
        ctas_(static_cast<std::size_t>(sm.parameters().max_ctas)) {
    sm.events.bind(*this);
    sm.observe_events({Life::warp_begins, Life::warp_ends});
    sm.clock().observe([this](Cycle cycle) { sample(cycle); });
    for (const PowerSignal& signal : power_signals(sm))
      domains_.push_back(
          {signal, recorder.name(signal.name + " (0 on, 1 and more: off, on its way)"), ~std::uint64_t{0}});
  }

  void write(const LifeEvent& event) override {
    if (event.what == Life::warp_begins)
      started(event);
    else if (event.what == Life::warp_ends)
      ended(event);
  }

 private:
  struct Warp {
    bool lives = false;
    Slice life;
    Activity activity = Activity::empty;
    Cycle since = 0;
  };
  struct Domain {
    PowerSignal signal;
    std::uint32_t name = 0;
    std::uint64_t state = 0;
  };
  struct Cta {
    unsigned warps = 0;
    Slice life;
  };

  void started(const LifeEvent& event) {
    Warp& warp = warps_[event.warp.value];
    const auto track = static_cast<std::uint16_t>(event.warp.value);
    const std::uint32_t in_cta = sm_->issue().warp(event.warp).context.warp_in_cta;
    warp = {true,
            {Kind::warp, 0, number_, track, event.kernel.value, event.cta, in_cta, event.cycle, 0},
            Activity::fetch,
            event.cycle};
    Cta& cta = ctas_[event.cta_slot.value];
    if (cta.warps++ == 0)
      cta.life = {Kind::cta,
                  0,
                  number_,
                  static_cast<std::uint16_t>(event.cta_slot.value),
                  event.kernel.value,
                  event.cta,
                  0,
                  event.cycle,
                  0};
  }

  void ended(const LifeEvent& event) {
    Warp& warp = warps_[event.warp.value];
    end_phase(warp, event.cycle);
    warp.lives = false;
    warp.life.end = event.cycle;
    recorder_->add(warp.life);
    Cta& cta = ctas_[event.cta_slot.value];
    if (--cta.warps != 0) return;
    cta.life.end = event.cycle;
    recorder_->add(cta.life);
  }

  void sample(Cycle cycle) {
    if (recorder_->full_ || cycle < recorder_->parameters_.from_cycle ||
        cycle > recorder_->parameters_.to_cycle)
      return;
    const WarpActivities activities = sm_->issue().activities();
    for (const WarpId id : activities.changed_since(before_)) {
      Warp& warp = warps_[id.value];
      if (!warp.lives) continue;
      const Activity now = shown(activities.of(id));
      if (now == warp.activity) continue;
      end_phase(warp, cycle);
      warp.activity = now;
      warp.since = cycle;
    }
    before_ = activities;
    for (Domain& domain : domains_) {
      const std::uint64_t state = domain.signal.state();
      if (state == domain.state) continue;
      domain.state = state;
      recorder_->add(
          Value{static_cast<std::uint16_t>(number_ + 1), domain.name, cycle, static_cast<double>(state)});
    }
  }

  void end_phase(const Warp& warp, Cycle cycle) {
    if (cycle == warp.since || !recorder_->with_waits_) return;
    Slice slice = warp.life;
    slice.kind = Kind::wait;
    slice.activity = static_cast<std::uint8_t>(warp.activity);
    slice.begin = warp.since;
    slice.end = cycle;
    recorder_->add(slice);
  }

  TimelineRecorder* recorder_;
  Sm* sm_;
  std::uint16_t number_;
  std::vector<Warp> warps_;
  std::vector<Cta> ctas_;
  std::vector<Domain> domains_;
  WarpActivities before_;
};

TimelineRecorder::TimelineRecorder(const TimelineParameters& parameters, Gpu& gpu, bool with_waits)
    : parameters_(parameters),
      with_waits_(with_waits),
      warp_slots_(static_cast<std::size_t>(gpu.sm(0).issue().max_warps())),
      cta_slots_(static_cast<std::size_t>(gpu.sm(0).parameters().max_ctas)) {
  if (parameters_.to_cycle == 0) parameters_.to_cycle = kNever - 1;
  for (std::size_t s = 0; s < gpu.sms().size(); ++s)
    observers_.push_back(std::make_unique<SmObserver>(*this, gpu.sm(s), static_cast<std::uint16_t>(s)));
}

TimelineRecorder::~TimelineRecorder() = default;

void TimelineRecorder::launch_ended(const run::LaunchRecord& record) {
  if (full_ && full_at_ < record.begin) return;
  kernels_.resize(std::max<std::size_t>(kernels_.size(), record.index + 1));
  kernels_[record.index] = ptx::plain_name(record.kernel);
  if (record.timed)
    add({Kind::launch, 0, 0, 0, record.index, 0, 0, record.begin, record.begin + record.cycles});
}

void TimelineRecorder::add(const Slice& slice) {
  if (slice.end < parameters_.from_cycle || slice.begin > parameters_.to_cycle) return;
  if (slices_.size() < parameters_.max_slices) {
    slices_.push_back(slice);
  } else if (!full_) {
    full_ = true;
    full_at_ = slice.end;
  }
}

std::uint32_t TimelineRecorder::name(const std::string& text) {
  const auto it = std::find(names_.begin(), names_.end(), text);
  if (it != names_.end()) return static_cast<std::uint32_t>(it - names_.begin());
  names_.push_back(text);
  return static_cast<std::uint32_t>(names_.size() - 1);
}

void TimelineRecorder::counter(const std::string& text, Cycle cycle, double value) {
  add(Value{0, name(text), cycle, value});
}

void TimelineRecorder::add(const Value& value) {
  if (value.cycle < parameters_.from_cycle || value.cycle > parameters_.to_cycle) return;
  if (values_.size() < parameters_.max_slices) values_.push_back(value);
}

std::vector<std::string> TimelineRecorder::state_names() {
  std::vector<std::string> names;
  for (const Activity state : kStates) names.emplace_back(state_name(state));
  return names;
}

std::vector<StateRow> TimelineRecorder::warp_rows(std::uint16_t sm, std::size_t most, bool& complete) const {
  std::vector<StateRow> rows;
  std::size_t spans = 0;
  complete = !full_;
  for (const Slice& slice : slices_) {
    if (slice.kind != Kind::wait || slice.sm != sm) continue;
    if (spans++ == most) {
      complete = false;
      break;
    }
    while (rows.size() <= slice.track) rows.push_back({fmt::format("{:02}", rows.size()), {}});
    const auto state =
        std::find(std::begin(kStates), std::end(kStates), static_cast<Activity>(slice.activity));
    rows[slice.track].spans.push_back({static_cast<double>(slice.begin), static_cast<double>(slice.end),
                                       static_cast<int>(state - std::begin(kStates))});
  }
  return rows;
}

}  // namespace heddle::output
