#pragma once

// What the back end tells the issue stage. Seen by the issue stage in the cycle after it was sent, so that
// the order in which units run within a cycle cannot be observed; the events of one cycle commute.

#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

struct IssueEvent {
  enum class Kind : std::uint8_t {
    reads_held,  ///< the collector holds every source: pending reads are over
    dispatched,  ///< the instruction left its collector (and reads are held)
    left_unit,   ///< the result left its INT, FP or SFU pipeline
    completed,   ///< every result is visible; the record can be reused
  };
  Cycle at = 0;
  Kind kind = Kind::completed;
  InFlight* item = nullptr;
};

class IssueInbox {
 public:
  void push(Cycle now, IssueEvent::Kind kind, InFlight* item) { events_.push_back({now, kind, item}); }

  /// Hands over, in order, every event sent before `now`.
  template <class Handler>
  void drain(Cycle now, Handler&& handler) {
    std::size_t taken = 0;
    while (taken < events_.size() && events_[taken].at < now) handler(events_[taken++]);
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  bool empty() const { return events_.empty(); }

 private:
  std::vector<IssueEvent> events_;
};

}  // namespace heddle
