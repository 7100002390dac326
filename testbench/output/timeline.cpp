#include "testbench/output/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "testbench/output/waves.h"

namespace heddle::output {
namespace {

using Activity = WarpActivity;

constexpr unsigned kCtaTracks = 1000;  // thread numbers of the CTA slots of an SM

// What a slice shows; a warp that issues, or could, runs.
Activity shown(Activity activity) { return activity == Activity::ready ? Activity::issuing : activity; }

// In the order of TimelineRecorder::state_names.
constexpr Activity kStates[] = {Activity::issuing, Activity::dependence, Activity::memory,  Activity::fetch,
                                Activity::barrier, Activity::fence,      Activity::draining};

const char* name_of(Activity activity) {
  switch (activity) {
    case Activity::dependence:
      return "dependence";
    case Activity::memory:
      return "memory";
    case Activity::fetch:
      return "fetch";
    case Activity::barrier:
      return "barrier";
    case Activity::fence:
      return "fence";
    case Activity::draining:
      return "draining";
    default:
      return "running";
  }
}

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
    sm.observe_events(true);
    sm.clock().observe([this](Cycle cycle) { sample(cycle); });
    for (WaveGroup& group : make_wave_signals(sm, "")) {
      if (group.signals.size() != 1 || group.signals.front().style != WaveStyle::power_state) continue;
      const std::string name = group.signals.front().name.substr(1) + " (0 on, 1 and more: off, on its way)";
      domains_.push_back({std::move(group.read), recorder.name(name), ~std::uint64_t{0}});
    }
  }

  void write(const LifeEvent& event) override {
    if (event.kind == LifeEvent::Kind::warp_started)
      started(event);
    else if (event.kind == LifeEvent::Kind::warp_ended)
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
    std::function<void(Cycle, Level*)> read;
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
      Level level;
      domain.read(cycle, &level);
      if (level.bits == domain.state) continue;
      domain.state = level.bits;
      recorder_->add(Value{static_cast<std::uint16_t>(number_ + 1), domain.name, cycle,
                           static_cast<double>(domain.state)});
    }
  }

  void end_phase(const Warp& warp, Cycle cycle) {
    if (cycle == warp.since) return;
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
  WarpActivities before_;  ///< in the last tick
};

TimelineRecorder::TimelineRecorder(const TimelineParameters& parameters, Gpu& gpu) : parameters_(parameters) {
  if (parameters_.to_cycle == 0) parameters_.to_cycle = kNever - 1;
  for (std::size_t s = 0; s < gpu.sms().size(); ++s)
    observers_.push_back(std::make_unique<SmObserver>(*this, gpu.sm(s), static_cast<std::uint16_t>(s)));
}

TimelineRecorder::~TimelineRecorder() = default;

void TimelineRecorder::launch_ended(const run::LaunchRecord& record) {
  kernels_.resize(std::max<std::size_t>(kernels_.size(), record.index + 1));
  kernels_[record.index] = record.kernel;
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
  for (const Activity state : kStates) names.emplace_back(name_of(state));
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

std::string TimelineRecorder::text_of(const Slice& slice) const {
  const std::string& kernel = kernels_[slice.kernel];
  std::string name, args = fmt::format("\"launch\":{},\"kernel\":\"{}\"", slice.kernel, kernel);
  unsigned process = slice.sm + 1u, thread = slice.track;
  switch (slice.kind) {
    case Kind::launch:
      name = kernel;
      process = 0;
      break;
    case Kind::cta:
      name = fmt::format("CTA {}", slice.a);
      thread += kCtaTracks;
      break;
    case Kind::warp:
      name = fmt::format("CTA {} warp {}", slice.a, slice.b);
      break;
    case Kind::wait:
      name = name_of(static_cast<Activity>(slice.activity));
      args.clear();
      break;
  }
  static constexpr const char* kCategories[] = {"launch", "cta", "warp", "state"};
  return fmt::format(
      "{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{{}"
      "}}}}",
      kCategories[static_cast<std::size_t>(slice.kind)], name, process, thread, slice.begin,
      slice.end - slice.begin, args);
}

std::string TimelineRecorder::make_json() const {
  std::string text = fmt::format(
      "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"unit\":\"1 us = 1 "
      "cycle\",\"complete\":{}{}}},\n\"traceEvents\":[\n",
      !full_, full_ ? fmt::format(",\"slices_missing_from_cycle\":{}", full_at_) : "");
  std::vector<std::string> lines;
  const auto label = [&](const char* what, unsigned process, unsigned thread, const std::string& name) {
    lines.push_back(
        fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                    what, process, thread, name));
  };
  label("process_name", 0, 0, "GPU");
  label("thread_name", 0, 0, "launches");
  std::vector<std::pair<unsigned, unsigned>> tracks;
  for (const Slice& slice : slices_)
    if (slice.kind == Kind::cta)
      tracks.emplace_back(slice.sm, slice.track + kCtaTracks);
    else if (slice.kind != Kind::launch)
      tracks.emplace_back(slice.sm, slice.track);
  std::sort(tracks.begin(), tracks.end());
  tracks.erase(std::unique(tracks.begin(), tracks.end()), tracks.end());
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto [sm, track] = tracks[t];
    if (t == 0 || tracks[t - 1].first != sm) label("process_name", sm + 1, 0, fmt::format("SM {}", sm));
    label("thread_name", sm + 1, track,
          track >= kCtaTracks ? fmt::format("CTA slot {}", track - kCtaTracks)
                              : fmt::format("warp slot {:02}", track));
  }
  // By track; within a track in the order of recording, whatever the order of the SMs within a cycle was.
  std::vector<const Slice*> ordered;
  for (const Slice& slice : slices_) ordered.push_back(&slice);
  std::stable_sort(ordered.begin(), ordered.end(), [](const Slice* a, const Slice* b) {
    return std::make_tuple(a->kind != Kind::launch, a->sm, a->kind == Kind::cta, a->track) <
           std::make_tuple(b->kind != Kind::launch, b->sm, b->kind == Kind::cta, b->track);
  });
  for (const Slice* slice : ordered) lines.push_back(text_of(*slice));
  std::vector<const Value*> values;
  for (const Value& value : values_) values.push_back(&value);
  std::stable_sort(values.begin(), values.end(), [](const Value* a, const Value* b) {
    return std::make_tuple(a->process, a->name) < std::make_tuple(b->process, b->name);
  });
  for (const Value* value : values)
    lines.push_back(fmt::format(
        "{{\"ph\":\"C\",\"name\":\"{}\",\"pid\":{},\"tid\":0,\"ts\":{},\"args\":{{\"value\":{:.6g}}}}}",
        names_[value->name], value->process, value->cycle, value->value));
  for (std::size_t i = 0; i < lines.size(); ++i) text += lines[i] + (i + 1 < lines.size() ? ",\n" : "\n");
  return text + "]}\n";
}

}  // namespace heddle::output
