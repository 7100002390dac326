#include "testbench/output/waves.h"

#include <fmt/format.h>

#include <algorithm>

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

WaveRecorder::WaveRecorder(const VcdParameters& parameters, launch::NewFile& file, Gpu& gpu,
                           const run::CoSimulation* co_simulation)
    : parameters_(parameters),
      file_(file),
      patterns_(split_patterns(parameters.select)),
      matched_(patterns_.size(), false),
      sms_(gpu.sms().size()) {
  if (parameters_.to_cycle == 0) parameters_.to_cycle = kNever - 1;
  if (parameters_.to_cycle < parameters_.from_cycle)
    throw Error("output.vcd.to_cycle", fmt::format("{} lies before from_cycle", parameters_.to_cycle),
                fmt::format("{} or more, or 0", parameters_.from_cycle));
  for (std::size_t s = 0; s < sms_.size(); ++s) {
    sms_[s].signals = std::make_unique<SmSignals>(gpu.sm(s), fmt::format("sm{}", s), programs_);
    select(sms_[s]);
    if (co_simulation) select(*co_simulation, s);
  }
  for (std::size_t p = 0; p < patterns_.size(); ++p)
    if (!matched_[p])
      throw Error(
          "output.vcd.select", fmt::format("\"{}\" matches no signal", patterns_[p]),
          "names such as sm0.warp00.state, sm0.scheduler0.pick, sm0.partition0.banks.reads, with * and ?");
  // The VCD format has no unit for cycles. One cycle is one time unit, which viewers show as a nanosecond.
  file_.declare("1 ns");
  for (std::size_t s = 0; s < sms_.size(); ++s)
    if (sms_[s].observed) gpu.sm(s).clock().observe([this, s](Cycle cycle) { sample(sms_[s], cycle); });
}

void WaveRecorder::select(SmWaves& sm) {
  const std::vector<WaveSignal>& signals = sm.signals->all();
  std::vector<bool> selected;
  for (const WaveSignal& signal : signals) {
    const std::size_t number = file_.count();
    if (selected.empty()) sm.first = number;
    selected.push_back(select(signal));
    if (signal.pulse) sm.pulses.push_back(number);
  }
  sm.observed |= sm.signals->choose(selected);
}

void WaveRecorder::select(const run::CoSimulation& co_simulation, std::size_t sm) {
  for (const run::CoSimulationSignal& signal : co_simulation.signals()) {
    if (signal.sm != sm) continue;
    const std::size_t number = file_.count();
    const WaveStyle style = signal.power_state ? WaveStyle::power_state : WaveStyle::number;
    if (!select({signal.name, signal.width, style})) continue;
    sms_[sm].rtl.push_back({number, signal.read});
    sms_[sm].observed = true;
  }
}

bool WaveRecorder::select(const WaveSignal& signal) {
  bool selected = false;
  for (std::size_t p = 0; p < patterns_.size(); ++p)
    if (fits(patterns_[p], signal.name)) selected = matched_[p] = true;
  if (selected)
    tracks_.push_back({file_.add(signal.name, signal.width), signal});
  else
    file_.add_unwritten();
  return selected;
}

void WaveRecorder::sample(SmWaves& sm, Cycle cycle) {
  if (cycle < parameters_.from_cycle || cycle > parameters_.to_cycle) return;
  if (!begun_) {
    first_cycle_ = cycle;
    file_.begin(cycle);
    begun_ = true;
  }
  if (cycle != last_cycle_) {
    if (cycle != last_cycle_ + 1 || sampled_last_ != pulsing_) end_pulses(cycle);
    sampled_last_ = 0;
  }
  if (sm.sampled == kNever) ++pulsing_;
  ++sampled_last_;
  file_.at(cycle);
  sm.signals->read(file_, sm.first, cycle);
  // A register of the RTL changes at the clock edge before a cycle. Show the new value in this cycle. The
  // states of the model are shown in the same way.
  for (const RtlTrack& track : sm.rtl) file_.set(track.number, Level::of(track.read()));
  sm.sampled = last_cycle_ = cycle;
}

// If an SM was not sampled in the cycle after its last sample, sets its one-cycle signals to 0 in this cycle.
// Does so for cycles earlier than `before`: SMs are sampled in the order of time, so it is certain that an SM
// with no sample in such a cycle did not tick in it.
void WaveRecorder::end_pulses(Cycle before) {
  for (Cycle earliest = kNever;; earliest = kNever) {
    for (const SmWaves& sm : sms_)
      if (sm.sampled != kNever && sm.sampled + 1 < before) earliest = std::min(earliest, sm.sampled + 1);
    if (earliest == kNever) return;
    file_.at(earliest);
    for (SmWaves& sm : sms_) {
      if (sm.sampled == kNever || sm.sampled + 1 != earliest) continue;
      for (const std::size_t pulse : sm.pulses) file_.set(pulse, Level::of(0));
      sm.sampled = kNever;
      --pulsing_;
    }
  }
}

void WaveRecorder::finish() {
  if (!begun_) file_.begin(parameters_.from_cycle);
  end_pulses(std::min(last_cycle_ + 2, parameters_.to_cycle + 1));
  file_.end(begun_ ? last_cycle_ + 1 : parameters_.from_cycle);
}

std::vector<WaveRecorder::Recorded> WaveRecorder::recorded() const {
  std::vector<Recorded> all;
  for (const auto& [number, signal] : tracks_)
    all.push_back({signal.name, signal.width, signal.style, file_.toggled(number)});
  return all;
}

}  // namespace heddle::output
