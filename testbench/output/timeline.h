#pragma once

// Writes a timeline for the viewer Perfetto (ui.perfetto.dev). timeline.pftrace has Perfetto's own format;
// timeline.json has the Trace Event Format, which chrome://tracing reads too. Perfetto's processes are SMs,
// and its tracks are warp slots and CTA slots. Slices show launches, CTAs, warps and waits; counters show
// IPC, active warps, power and power domains. One cycle is shown as one microsecond.

#include <memory>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/sm/warp_activity.h"
#include "testbench/output/chart.h"
#include "testbench/run/output_parameters.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class TraceWriter;
struct PipelineLog;

class TimelineRecorder {
 public:
  /// Observes the SMs of `gpu`. `with_waits`: true to record the states of warps, which make_json() and
  /// warp_rows() need.
  TimelineRecorder(const TimelineParameters& parameters, Gpu& gpu, bool with_waits = true);
  ~TimelineRecorder();

  void launch_ended(const run::LaunchRecord& record);

  /// Sets the value that a counter track of the GPU shows from `cycle` on.
  void counter(const std::string& name, Cycle cycle, double value);

  /// Returns the states of an SM's warp slots, in at most `most` spans. Sets `complete` to false if the run
  /// had more spans.
  std::vector<StateRow> warp_rows(std::uint16_t sm, std::size_t most, bool& complete) const;
  static std::vector<std::string> state_names();

  /// Returns the bytes of timeline.json. The slices of a track are in the order of their ends.
  std::string make_json() const;
  /// Returns the bytes of timeline.pftrace. `log`: the issued instructions (pipeline.h); their waits become
  /// the slices of warps.
  std::string make_perfetto(const PipelineLog& log) const;

 private:
  class SmObserver;
  enum class Kind : std::uint8_t { launch, cta, warp, wait };
  struct Slice {
    Kind kind{};
    std::uint8_t activity = 0;
    std::uint16_t sm = 0, track = 0;
    std::uint32_t kernel = 0;
    std::uint32_t a = 0, b = 0;  ///< CTA of the warp, and the warp's index in the CTA
    Cycle begin = 0, end = 0;
  };
  /// Value that a counter track shows from `cycle` on. `process`: 0 for a track of the GPU, n + 1 for a track
  /// of SM n.
  struct Value {
    std::uint16_t process = 0;
    std::uint32_t name = 0;
    Cycle cycle = 0;
    double value = 0;
  };
  void add(const Slice& slice);
  std::uint32_t name(const std::string& text);
  void add(const Value& value);
  static const char* state_name(WarpActivity activity);
  std::size_t track_of(const Slice& slice) const;
  void add_counters(TraceWriter& trace, std::uint64_t process) const;
  void add_power_states(TraceWriter& trace, std::uint64_t process, std::uint16_t sm, Cycle last) const;
  void put_labels(std::string& text, const std::vector<const Slice*>& slices) const;
  void put(std::string& text, const Slice& slice) const;
  void put(std::string& text, const Value& value) const;

  TimelineParameters parameters_;
  bool with_waits_;
  std::size_t warp_slots_, cta_slots_;
  std::vector<std::unique_ptr<SmObserver>> observers_;
  std::vector<Slice> slices_;
  std::vector<Value> values_;
  std::vector<std::string> names_;
  std::vector<std::string> kernels_;
  bool full_ = false;
  Cycle full_at_ = 0;
};

}  // namespace heddle::output
