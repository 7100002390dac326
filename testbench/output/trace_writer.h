#pragma once

// Writes a trace in Perfetto's format (perfetto_trace.proto): tracks, slices, counters and flows. The caller
// must add the events of each track in the order of time. One cycle is written as one microsecond.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/ids.h"

namespace heddle::output {

struct TraceArgument {
  const char* name;
  std::uint64_t number = 0;
  std::string text{};  ///< the value if not empty; otherwise `number` is the value
};

/// Beginning of a slice, or an event without duration.
struct TraceEvent {
  std::string category, name;
  std::vector<TraceArgument> arguments{};
  std::vector<std::uint64_t> flows_from{}, flows_to{};  ///< numbers of flows that begin or end here
};

class TraceWriter {
 public:
  TraceWriter();
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  using Track = std::uint64_t;
  Track add_process(int number, const std::string& name);
  Track add_track(Track process, const std::string& name);
  Track add_counter(Track process, const std::string& name);

  void begin(Track track, Cycle cycle, const TraceEvent& event);
  void end(Track track, Cycle cycle);
  void instant(Track track, Cycle cycle, const TraceEvent& event);
  void value(Track counter, Cycle cycle, double value);

  /// Returns the bytes of the trace so far.
  const std::string& bytes() const { return bytes_; }

 private:
  struct Messages;
  void add(Track track, Cycle cycle, int type, const TraceEvent* event);
  void append();

  std::unique_ptr<Messages> messages_;
  Track tracks_ = 0;
  std::string bytes_;
};

}  // namespace heddle::output
