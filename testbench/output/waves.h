#pragma once

// Waveforms of the SMs (docs/outputs.md names the signals). A recorder looks at the SMs after every cycle in
// which they tick; in the cycles between, every value stays as it is, but for those that tell what happened
// in one cycle.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/output/waves_vcd_writer.h"
#include "testbench/run/co_simulation.h"
#include "testbench/run/output_parameters.h"

namespace heddle::output {

/// How GTKWave shows a signal.
enum class WaveStyle : std::uint8_t { number, mask, warp_state, stall, power_state };

struct WaveSignal {
  std::string name;  ///< "sm0.warp03.state"
  int width = 1;
  WaveStyle style = WaveStyle::number;
  bool pulse = false;  ///< tells what happened in one cycle: 0 in a cycle without a tick
};

/// The signals of a group, by their places in it, in a cycle. One that is not set stays as it is.
struct WaveLevels : VcdWriter::Signals {
  Cycle cycle;
};

/// Signals that are read together.
struct WaveGroup {
  std::vector<WaveSignal> signals;
  /// Sets them in their order. Those that the reader knows to have stayed need no setting.
  std::function<void(const WaveLevels&)> read;
};

/// All signals of an SM, in the order of the file.
std::vector<WaveGroup> make_wave_signals(Sm& sm, const std::string& name);

class WaveRecorder {
 public:
  /// Observes the SMs, and the RTL beside them, from the construction on. Throws Error if a pattern of the selection
  /// matches no signal. The file outlives the recorder.
  WaveRecorder(const VcdParameters& parameters, run::NewFile& file, Gpu& gpu,
               const run::CoSimulation* co_simulation = nullptr);

  /// Nothing more is recorded. Throws Error if the file could not be written.
  void finish();

  struct Recorded {
    std::string name;
    int width = 1;
    WaveStyle style = WaveStyle::number;
    bool toggled = false;  ///< had at least two values
  };
  /// What the file holds, in its order.
  std::vector<Recorded> recorded() const;
  /// Of one cycle, in the unit of the file.
  std::uint64_t period() const { return period_; }
  Cycle first_cycle() const { return first_cycle_; }

 private:
  /// A signal in the file, by its number there.
  struct Track {
    std::size_t number;
    WaveSignal signal;
  };
  /// A group of which a signal is in the file.
  struct Group {
    std::function<void(const WaveLevels&)> read;
    std::size_t first;  ///< the number of its first signal
  };
  struct SmWaves {
    std::vector<Group> groups;
    std::vector<std::size_t> pulses;
    Cycle sampled = kNever;  ///< the last cycle; pulses fall after it unless the SM ticks again
  };
  void select(const std::vector<WaveGroup>& groups, SmWaves& into);
  bool is_selected(const WaveSignal& signal);
  void sample(SmWaves& sm, Cycle cycle);
  void end_pulses(Cycle before);

  VcdParameters parameters_;
  VcdWriter file_;
  std::vector<std::string> patterns_;
  std::vector<bool> matched_;
  std::vector<SmWaves> sms_;
  std::vector<Track> tracks_;
  std::uint64_t period_ = 1;
  std::string timescale_;
  Cycle first_cycle_ = 0, last_cycle_ = 0;
  std::size_t pulsing_ = 0;       ///< SMs that were sampled since their pulses ended
  std::size_t sampled_last_ = 0;  ///< SMs in last_cycle_
  bool begun_ = false;
};

/// "a, b" -> {"a", "b"}; empty: {"**"}.
std::vector<std::string> split_patterns(const std::string& select);

}  // namespace heddle::output
