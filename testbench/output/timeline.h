#pragma once

// timeline.json: a trace for Perfetto (ui.perfetto.dev) and chrome://tracing, in the Trace Event Format. A
// process an SM, a thread a warp slot or CTA slot, slices for launches, CTAs, warps and what warps wait for.
// One microsecond of the trace is one cycle.

#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "testbench/run/output_parameters.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class TimelineRecorder {
 public:
  /// Observes the SMs from now on. Must outlive the simulation.
  TimelineRecorder(const TimelineParameters& parameters, Gpu& gpu);
  ~TimelineRecorder();

  void launch_ended(const run::LaunchRecord& record);

  /// The file; slices by track, in the order in which they ended.
  std::string make_json() const;

 private:
  class SmObserver;
  enum class Kind : std::uint8_t { launch, cta, warp, wait };
  struct Slice {
    Kind kind{};
    std::uint8_t activity = 0;  ///< of a wait
    std::uint16_t sm = 0, track = 0;
    std::uint32_t kernel = 0;    ///< launch
    std::uint32_t a = 0, b = 0;  ///< CTA and warp in the CTA
    Cycle begin = 0, end = 0;
  };
  void add(const Slice& slice);
  std::string text_of(const Slice& slice) const;

  TimelineParameters parameters_;
  std::vector<std::unique_ptr<SmObserver>> observers_;
  std::vector<Slice> slices_;
  std::vector<std::string> kernels_;  ///< name by launch
  bool full_ = false;
  Cycle full_at_ = 0;
};

}  // namespace heddle::output
