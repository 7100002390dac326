#pragma once

// Records an SM in a window of cycles for the page of `heddle view`. The recorder does not depend on
// particular modules. It reads the gauges and counters that modules declare in probes(), the register
// accesses at the modules' probe points PassPoint, and the instructions that PipelineRecorder records
// (testbench/output/pipeline.h).

#include <memory>
#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/gpu/gpu.h"
#include "testbench/output/pipeline.h"
#include "testbench/view/recording.h"
#include "testbench/view/view_parameters.h"

namespace heddle::view {

/// Checks the parameters and returns them. Throws Error if a GPU with `sms` SMs lacks the chosen SM, or if
/// the window ends before it begins.
ViewParameters checked(const ViewParameters& parameters, std::size_t sms);

class ViewRecorder {
 public:
  /// Observes the SM from construction on, which must be before the first cycle. The recorder must outlive
  /// the simulation. Throws Error in the same cases as checked().
  ViewRecorder(const ViewParameters& parameters, Gpu& gpu, const StatsRegistry& stats);

  void launch_begins(const isa::KernelLaunch& launch);
  /// Returns true if the window has ended. The rest of the run then need not be simulated.
  bool ended() const { return ended_; }
  /// Returns everything that was recorded. Call once, at the end of the run. Throws Error if the SM issued no
  /// instruction in the window; the error names SMs that issued some.
  Recording take();

 private:
  struct Watched {
    const Gauge* gauge;
    std::vector<std::uint64_t> before;  ///< value of each cell in the last recorded cycle
    bool pulses = false;  ///< a momentary gauge (of events in one cycle) was not 0 in the last recorded cycle
  };
  struct Counted {
    const Counter* counter;
    std::uint64_t before = 0;
  };

  void begin(Cycle cycle);
  void remember_counters();
  void add_parts(const ProbeList& list, const std::string& root);
  void add_counters(const StatsRegistry& stats);
  void attach(const ProbeList& list, const std::string& root);
  std::size_t part_of(const std::string& path);
  void sample(Cycle cycle);
  void read_gauges(Cycle cycle, std::vector<GaugeChange>& changes);
  void read_counters(RecordedCycle& to);
  /// Returns the record of a cycle, which must not be before the last recorded cycle. In cycles in which the
  /// SM did not run, momentary gauges are 0.
  RecordedCycle& at(Cycle cycle);
  void end_pulses(Cycle cycle);
  void keep_window(Cycle last);

  ViewParameters parameters_;
  Gpu& gpu_;
  Sm& sm_;
  Recording made_;
  std::vector<Watched> gauges_;
  std::vector<Counted> counters_;
  std::unique_ptr<output::PipelineRecorder> pipeline_;
  std::vector<std::uint64_t> values_;
  std::uint64_t bytes_ = 0;  ///< estimated size of the recording in the page
  Cycle last_sample_ = kNever;
  /// True if the launch to record has begun. Before this launch, the SM had issued `issued_before_`
  /// instructions.
  bool armed_ = false;
  std::uint64_t issued_before_ = 0;
  bool begun_ = false, ended_ = false;
};

}  // namespace heddle::view
