#pragma once

// Records waveforms of the SMs (docs/outputs.md). A recorder samples an SM after every cycle in which the SM
// ticks. In cycles in which the SM does not tick, signals keep their values. Only one-cycle signals, which
// show events of a single cycle, become 0.

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
  /// Observes the SMs and their co-simulated RTL. The waveform file must outlive the recorder. Throws Error
  /// if a pattern in `parameters` matches no signal.
  WaveRecorder(const VcdParameters& parameters, launch::NewFile& file, Gpu& gpu,
               const run::CoSimulation* co_simulation = nullptr);

  /// Ends recording. Throws Error if the file could not be written.
  void finish();

  struct Recorded {
    std::string name;
    int width = 1;
    WaveStyle style = WaveStyle::number;
    bool toggled = false;
  };
  std::vector<Recorded> recorded() const;
  /// Stores the launch's program, so that waveforms can name its instructions. Call before a timed launch.
  void launch_begins(const isa::KernelLaunch& launch) { programs_.add(launch.program); }
  const WavePrograms& programs() const { return programs_; }
  const std::vector<std::string>& unit_names() const { return sms_.front().signals->unit_names(); }
  Cycle first_cycle() const { return first_cycle_; }

 private:
  struct Track {
    std::size_t number;
    WaveSignal signal;
  };
  struct RtlTrack {
    std::size_t number;
    std::function<std::uint64_t()> read;
  };
  struct SmWaves {
    std::unique_ptr<SmSignals> signals;
    std::size_t first = 0;
    std::vector<RtlTrack> rtl;
    std::vector<std::size_t> pulses;
    bool observed = false;
    /// Cycle of the SM's last sample. If the SM does not tick in the next cycle, one-cycle signals become 0
    /// there.
    Cycle sampled = kNever;
  };
  void select(SmWaves& sm);
  void select(const run::CoSimulation& co_simulation, std::size_t sm);
  /// Adds the signal if one of the patterns matches its name. Returns true if the signal was added.
  bool select(const WaveSignal& signal);
  void sample(SmWaves& sm, Cycle cycle);
  void end_pulses(Cycle before);

  VcdParameters parameters_;
  WavePrograms programs_;
  VcdWriter file_;
  std::vector<std::string> patterns_;
  std::vector<bool> matched_;
  std::vector<SmWaves> sms_;
  std::vector<Track> tracks_;
  Cycle first_cycle_ = 0, last_cycle_ = 0;
  std::size_t pulsing_ = 0;       ///< number of SMs whose one-cycle signals must still become 0
  std::size_t sampled_last_ = 0;  ///< number of SMs sampled in cycle last_cycle_
  bool begun_ = false;
};

/// Splits "a, b" into {"a", "b"}. An empty text gives {"**"}, the pattern that matches everything.
std::vector<std::string> split_patterns(const std::string& select);

}  // namespace heddle::output
