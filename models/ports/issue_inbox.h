#pragma once

// What the back end tells the issue stage. Seen by the issue stage in the cycle after it was sent, so that
// the order in which units run within a cycle cannot be observed; the events of one cycle commute.

#include "models/core/growing_array.h"
#include "models/ports/instruction_path.h"

namespace heddle {

struct IssueEvent {
  Cycle at = 0;
  InstructionNote note = InstructionNote::none;
  InFlight* item = nullptr;
};

class IssueInbox : public NoteListener {
 public:
  explicit IssueInbox(const Clock& clock) : clock_(&clock) {}

  void hear(InstructionTransfer& transfer) override {
    events_.push_back({clock_->now(), transfer.note, transfer.item});
  }

  /// Hands over, in order, every event sent before this cycle.
  template <class Handler>
  void drain(Handler&& handler) {
    const Cycle now = clock_->now();
    std::size_t next = first_;
    while (next < events_.size() && events_[next].at < now) handler(events_[next++]);
    // What was handed over is forgotten now and then, which costs less than in every cycle.
    if (next == events_.size() || next >= kForget) {
      events_.drop_front(next);
      next = 0;
    }
    first_ = next;
  }
  bool empty() const { return first_ == events_.size(); }

 private:
  const Clock* clock_;
  static constexpr std::size_t kForget = 64;
  GrowingArray<IssueEvent> events_;
  std::size_t first_ = 0;  ///< of events_: what stands before has been handed over
};

}  // namespace heddle
