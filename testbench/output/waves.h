#pragma once

// Waveforms of the SMs (docs/outputs.md names the signals). A recorder samples the SMs after every cycle in
// which they tick. In other cycles values keep, except signals for events of one cycle.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/waves_signals.h"
#include "testbench/output/waves_vcd_writer.h"
#include "testbench/run/co_simulation.h"
#include "testbench/run/output_parameters.h"

namespace heddle::output {

class WaveRecorder {
 public:
  /// Observes the SMs and their co-simulated RTL from construction on. Throws Error if a pattern of the
  /// selection matches no signal. The file outlives the recorder.
  WaveRecorder(const VcdParameters& parameters, launch::NewFile& file, Gpu& gpu,
               const run::CoSimulation* co_simulation = nullptr);

  /// Ends recording. Throws Error if the file could not be written.
  void finish();

  struct Recorded {
    std::string name;
    int width = 1;
    WaveStyle style = WaveStyle::number;
    bool toggled = false;  ///< had at least two values
  };
  /// Signals of the file, in their order.
  std::vector<Recorded> recorded() const;
  /// Duration of one cycle, in the unit of the file.
  std::uint64_t period() const { return period_; }
  Cycle first_cycle() const { return first_cycle_; }

 private:
  /// A signal, by its number in the file.
  struct Track {
    std::size_t number;
    WaveSignal signal;
  };
  /// A register of an SM's co-simulated RTL, by its number in the file.
  struct RtlTrack {
    std::size_t number;
    std::function<std::uint64_t()> read;
  };
  struct SmWaves {
    std::unique_ptr<SmSignals> signals;
    std::size_t first = 0;  ///< the number of its first one
    std::vector<RtlTrack> rtl;
    std::vector<std::size_t> pulses;
    bool observed = false;   ///< some of its signals are in the file
    Cycle sampled = kNever;  ///< the last cycle; one-cycle signals fall after it unless the SM ticks again
  };
  void select(SmWaves& sm);
  void select(const run::CoSimulation& co_simulation, std::size_t sm);
  /// True if the signal is in the file, under the next number.
  bool select(const WaveSignal& signal);
  void sample(SmWaves& sm, Cycle cycle);
  void end_pulses(Cycle before);

  VcdParameters parameters_;
  VcdWriter file_;
  std::vector<std::string> patterns_;
  std::vector<bool> matched_;
  std::vector<SmWaves> sms_;
  std::vector<Track> tracks_;
  std::uint64_t period_ = 1;
  Cycle first_cycle_ = 0, last_cycle_ = 0;
  std::size_t pulsing_ = 0;       ///< SMs that were sampled since their one-cycle signals fell
  std::size_t sampled_last_ = 0;  ///< SMs in last_cycle_
  bool begun_ = false;
};

/// "a, b" -> {"a", "b"}; empty: {"**"}.
std::vector<std::string> split_patterns(const std::string& select);

}  // namespace heddle::output
