#pragma once

// Writes timeline.json: a trace for Perfetto (ui.perfetto.dev) and chrome://tracing, in the Trace Event
// Format. Each SM is a process, and each warp slot or CTA slot is a thread. Slices show launches, CTAs, warps
// and waits. Counters show IPC, active warps, power and the state of every power domain. One microsecond of
// the trace is one cycle.

#include <memory>
#include <string>
#include <vector>

#include "models/gpu/gpu.h"
#include "models/sm/warp_activity.h"
#include "testbench/output/chart.h"
#include "testbench/run/output_parameters.h"
#include "testbench/run/run_session.h"

namespace heddle::output {

class TimelineRecorder {
 public:
  /// Observes the SMs from construction on. The recorder must outlive the simulation.
  TimelineRecorder(const TimelineParameters& parameters, Gpu& gpu);
  ~TimelineRecorder();

  void launch_ended(const run::LaunchRecord& record);

  /// Records that a counter track of the GPU has this value from `cycle` on.
  void counter(const std::string& name, Cycle cycle, double value);

  /// Returns the states of an SM's warp slots in at most `most` spans. Sets `complete` to false if the run
  /// had more spans.
  std::vector<StateRow> warp_rows(std::uint16_t sm, std::size_t most, bool& complete) const;
  /// Returns the names of the states, in the numbering of StateRow::Span::state.
  static std::vector<std::string> state_names();

  /// Returns the text of timeline.json. The slices of a track are in the order of their ends.
  std::string make_json() const;

 private:
  class SmObserver;
  enum class Kind : std::uint8_t { launch, cta, warp, wait };
  struct Slice {
    Kind kind{};
    std::uint8_t activity = 0;  ///< state of the warp in this slot
    std::uint16_t sm = 0, track = 0;
    std::uint32_t kernel = 0;    ///< position of the slice's launch in the run
    std::uint32_t a = 0, b = 0;  ///< CTA of the warp, and the warp's index in the CTA
    Cycle begin = 0, end = 0;
  };
  /// Value of a counter from a cycle on. The counter belongs to an SM (process: the SM's number + 1) or to
  /// the GPU (0).
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
  void put_labels(std::string& text, const std::vector<const Slice*>& slices) const;
  void put(std::string& text, const Slice& slice) const;
  void put(std::string& text, const Value& value) const;

  TimelineParameters parameters_;
  std::size_t warp_slots_, cta_slots_;  ///< numbers of warp slots and CTA slots of each SM
  std::vector<std::unique_ptr<SmObserver>> observers_;
  std::vector<Slice> slices_;
  std::vector<Value> values_;
  std::vector<std::string> names_;
  std::vector<std::string> kernels_;  ///< names of the launched kernels, by launch
  bool full_ = false;
  Cycle full_at_ = 0;
};

}  // namespace heddle::output
