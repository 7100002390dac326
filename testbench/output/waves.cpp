#include "testbench/output/waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "models/core/error.h"
#include "models/core/wildcard.h"

namespace heddle::output {

std::vector<std::string> split_patterns(const std::string& select) {
  std::vector<std::string> patterns;
  std::size_t begin = 0;
  while (begin <= select.size()) {
    const std::size_t comma = std::min(select.find(',', begin), select.size());
    std::string pattern = select.substr(begin, comma - begin);
    pattern.erase(0, pattern.find_first_not_of(' '));
    pattern.erase(pattern.find_last_not_of(' ') + 1);
    if (!pattern.empty()) patterns.push_back(std::move(pattern));
    begin = comma + 1;
  }
  if (patterns.empty()) patterns.emplace_back("**");
  return patterns;
}

namespace {

// Unlike every level that is read: the first one is a change.
constexpr Level kNoLevel{~std::uint64_t{0}, 0};

// Levels hold no padding.
bool differ(const Level* a, const Level* b, std::size_t count) {
  static_assert(std::has_unique_object_representations_v<Level>);
  return std::memcmp(a, b, count * sizeof(Level)) != 0;
}

// Registers of the RTL take their values of a cycle with the edge before it, as the model's states do.
std::vector<WaveGroup> rtl_signals(const run::CoSimulation& co_simulation, std::size_t sm) {
  std::vector<WaveGroup> groups;
  for (const run::CoSimulationSignal& signal : co_simulation.signals())
    if (signal.sm == sm)
      groups.push_back(
          {{{signal.name, signal.width, signal.power_state ? WaveStyle::power_state : WaveStyle::number}},
           [read = signal.read](Cycle, Level* level) { *level = Level::of(read()); }});
  return groups;
}

}  // namespace

WaveRecorder::WaveRecorder(const VcdParameters& parameters, const std::string& path, Gpu& gpu,
                           const run::CoSimulation* co_simulation)
    : parameters_(parameters),
      file_(path),
      patterns_(split_patterns(parameters.select)),
      matched_(patterns_.size(), false),
      sms_(gpu.sms().size()),
      period_(gpu.sm(0).clock().period().value()),
      timescale_(fmt::format("{:.0f} ps", sc_core::sc_get_time_resolution().to_seconds() * 1e12)) {
  if (parameters_.to_cycle == 0) parameters_.to_cycle = kNever - 1;
  if (parameters_.to_cycle < parameters_.from_cycle)
    throw Error("output.vcd.to_cycle", fmt::format("{} lies before from_cycle", parameters_.to_cycle),
                fmt::format("{} or more, or 0", parameters_.from_cycle));
  for (std::size_t s = 0; s < sms_.size(); ++s) {
    select(make_wave_signals(gpu.sm(s), fmt::format("sm{}", s)), sms_[s]);
    if (co_simulation) select(rtl_signals(*co_simulation, s), sms_[s]);
  }
  for (std::size_t p = 0; p < patterns_.size(); ++p)
    if (!matched_[p])
      throw Error(
          "output.vcd.select", fmt::format("\"{}\" matches no signal", patterns_[p]),
          "names such as sm0.warp00.state, sm0.scheduler0.pick, sm0.partition0.banks.reads, with * and ?");
  for (std::size_t s = 0; s < sms_.size(); ++s)
    if (!sms_[s].tracks.empty())
      gpu.sm(s).clock().observe([this, s](Cycle cycle) { sample(sms_[s], cycle); });
}

void WaveRecorder::select(std::vector<WaveGroup> groups, SmTracks& into) {
  for (WaveGroup& group : groups) {
    const std::size_t begin = into.tracks.size();
    bool wanted = false;
    for (WaveSignal& signal : group.signals) {
      into.tracks.push_back({std::move(signal)});
      Track& track = into.tracks.back();
      bool fitting = false;
      for (std::size_t p = 0; p < patterns_.size(); ++p)
        if (fits(patterns_[p], track.signal.name)) fitting = matched_[p] = true;
      if (fitting) track.number = file_.add(track.signal.name, track.signal.width);
      wanted |= fitting;
    }
    if (!wanted) {
      into.tracks.resize(begin);
      continue;
    }
    into.begins.push_back(begin);
    into.groups.push_back({{}, std::move(group.read)});
  }
  into.levels.resize(into.tracks.size(), kNoLevel);
  into.read.resize(into.tracks.size());
}

void WaveRecorder::sample(SmTracks& sm, Cycle cycle) {
  if (cycle < parameters_.from_cycle || cycle > parameters_.to_cycle) return;
  if (!begun_) {
    first_cycle_ = cycle;
    file_.begin(timescale_, cycle * period_);
    begun_ = true;
  }
  end_pulses(cycle);
  for (std::size_t g = 0; g < sm.groups.size(); ++g) sm.groups[g].read(cycle, &sm.read[sm.begins[g]]);
  constexpr std::size_t kAtOnce = 8;
  for (std::size_t t = 0; t < sm.tracks.size(); t += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, sm.tracks.size() - t);
    if (!differ(&sm.read[t], &sm.levels[t], count)) continue;
    for (std::size_t i = t; i < t + count; ++i) set(sm, i, cycle, sm.read[i]);
  }
  sm.sampled = cycle;
  last_cycle_ = std::max(last_cycle_, cycle);
}

// An SM that did not tick in the cycle after its last sample did nothing in it. This shows as soon as any SM
// is sampled later: the SMs share one period, so their samples come in order of time.
void WaveRecorder::end_pulses(Cycle before) {
  for (Cycle earliest = kNever;; earliest = kNever) {
    for (const SmTracks& sm : sms_)
      if (sm.sampled != kNever && sm.sampled + 1 < before) earliest = std::min(earliest, sm.sampled + 1);
    if (earliest == kNever) return;
    for (SmTracks& sm : sms_) {
      if (sm.sampled == kNever || sm.sampled + 1 != earliest) continue;
      for (std::size_t t = 0; t < sm.tracks.size(); ++t)
        if (sm.tracks[t].signal.pulse) set(sm, t, earliest, Level::of(0));
      sm.sampled = kNever;
    }
  }
}

void WaveRecorder::set(SmTracks& sm, std::size_t t, Cycle cycle, Level level) {
  if (sm.levels[t] == level) return;
  sm.levels[t] = level;
  Track& track = sm.tracks[t];
  if (track.number == kUnwanted) return;
  track.values = std::min(track.values + 1, 2);
  file_.change(cycle * period_, track.number, level);
}

WaveRecorder::~WaveRecorder() {
  if (finished_) return;
  try {
    finish();
  } catch (const Error&) {  // the run has an error of its own to report
  }
}

void WaveRecorder::finish() {
  finished_ = true;
  if (!begun_) file_.begin(timescale_, parameters_.from_cycle * period_);
  end_pulses(std::min(last_cycle_ + 2, parameters_.to_cycle + 1));
  file_.end((begun_ ? last_cycle_ + 1 : parameters_.from_cycle) * period_);
}

std::vector<WaveRecorder::Recorded> WaveRecorder::recorded() const {
  std::vector<Recorded> all;
  for (const SmTracks& sm : sms_)
    for (const Track& track : sm.tracks)
      if (track.number != kUnwanted)
        all.push_back({track.signal.name, track.signal.width, track.signal.style, track.values > 1});
  return all;
}

}  // namespace heddle::output
