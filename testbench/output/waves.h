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

/// Signals that are read together.
struct WaveGroup {
  std::vector<WaveSignal> signals;
  /// Into as many levels as there are signals. Each time the same ones, so that what stays needs no writing.
  std::function<void(Cycle, Level*)> read;
};

/// All signals of an SM, in the order of the file.
std::vector<WaveGroup> make_wave_signals(Sm& sm, const std::string& name);

class WaveRecorder {
 public:
  /// Observes the SMs, and the RTL beside them, from the construction on. Throws Error if the file cannot be
  /// written, or a pattern of the selection matches no signal.
  WaveRecorder(const VcdParameters& parameters, const std::string& path, Gpu& gpu,
               const run::CoSimulation* co_simulation = nullptr);

  /// Of a run that failed: what was recorded is in the file all the same.
  ~WaveRecorder();

  /// Closes the file. Throws Error if it could not be written.
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
  static constexpr std::size_t kUnwanted = ~std::size_t{0};
  struct Track {
    WaveSignal signal;
    std::size_t number = kUnwanted;  ///< in the file
    int values = 0;                  ///< that it has had, up to 2
  };
  struct SmTracks {
    std::vector<WaveGroup> groups;    ///< those of which a signal is in the file, without their signals
    std::vector<Track> tracks;        ///< their signals
    std::vector<Level> levels, read;  ///< of each track: in the file, and as just read
    std::vector<std::size_t> begins;  ///< of each group: its first track
    Cycle sampled = kNever;           ///< the last cycle; pulses fall after it unless the SM ticks again
  };
  void select(std::vector<WaveGroup> groups, SmTracks& into);
  void sample(SmTracks& sm, Cycle cycle);
  void end_pulses(Cycle before);
  void set(SmTracks& sm, std::size_t track, Cycle cycle, Level level);

  VcdParameters parameters_;
  VcdWriter file_;
  std::vector<std::string> patterns_;
  std::vector<bool> matched_;
  std::vector<SmTracks> sms_;
  std::uint64_t period_ = 1;
  std::string timescale_;
  Cycle first_cycle_ = 0, last_cycle_ = 0;
  bool begun_ = false, finished_ = false;
};

/// "a, b" -> {"a", "b"}; empty: {"**"}.
std::vector<std::string> split_patterns(const std::string& select);

}  // namespace heddle::output
