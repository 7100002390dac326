#pragma once

// Records waveforms of the SMs (docs/outputs.md lists the signals). A recorder samples an SM after every
// cycle in which it ticks. In other cycles signals keep their values, except signals for events of one cycle.

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
  /// Observes the SMs and their co-simulated RTL from construction on. The waveform file must outlive the
  /// recorder. Throws Error if a pattern of the selection matches no signal.
  WaveRecorder(const VcdParameters& parameters, launch::NewFile& file, Gpu& gpu,
               const run::CoSimulation* co_simulation = nullptr);

  /// Ends recording. Throws Error if the file could not be written.
  void finish();

  struct Recorded {
    std::string name;
    int width = 1;
    WaveStyle style = WaveStyle::number;
    bool toggled = false;  ///< True: the signal has changed at least once.
  };
  /// Returns the signals of the file, in their order.
  std::vector<Recorded> recorded() const;
  /// Announces a timed launch, so that waveforms name the instructions of its program.
  void launch_begins(const isa::KernelLaunch& launch) { programs_.add(launch.program); }
  const WavePrograms& programs() const { return programs_; }
  /// Returns the names of the values of the signals `unit` of warps.
  const std::vector<std::string>& unit_names() const { return sms_.front().signals->unit_names(); }
  Cycle first_cycle() const { return first_cycle_; }

 private:
  /// A signal of the model, with its number in the waveform file.
  struct Track {
    std::size_t number;
    WaveSignal signal;
  };
  /// A register of an SM's co-simulated RTL, with the number of its signal in the file.
  struct RtlTrack {
    std::size_t number;
    std::function<std::uint64_t()> read;
  };
  struct SmWaves {
    std::unique_ptr<SmSignals> signals;
    std::size_t first = 0;  ///< number of the SM's first signal in the file
    std::vector<RtlTrack> rtl;
    std::vector<std::size_t> pulses;
    bool observed = false;  ///< True: the waveform contains signals of the SM.
    /// Cycle of the SM's last sample. In the next cycle, the one-cycle signals become 0, unless the SM ticks
    /// again in this cycle.
    Cycle sampled = kNever;
  };
  void select(SmWaves& sm);
  void select(const run::CoSimulation& co_simulation, std::size_t sm);
  /// Adds the signal to the file if a pattern selects the signal. Returns true if the signal was added.
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
  std::size_t pulsing_ = 0;       ///< SMs whose one-cycle signals are not yet reset after their last sample
  std::size_t sampled_last_ = 0;  ///< number of SMs that were sampled in cycle last_cycle_
  bool begun_ = false;
};

/// Splits a selection such as "a, b" into the patterns {"a", "b"}; an empty text selects everything ({"**"}).
std::vector<std::string> split_patterns(const std::string& select);

}  // namespace heddle::output
