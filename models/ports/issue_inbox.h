#pragma once

// What the back end tells the issue stage. Seen by the issue stage in the cycle after it was sent, so that
// the order in which units run within a cycle cannot be observed; the events of one cycle commute.

#include <vector>

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
    std::size_t taken = 0;
    while (taken < events_.size() && events_[taken].at < clock_->now()) handler(events_[taken++]);
    if (taken) events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  bool empty() const { return events_.empty(); }

 private:
  const Clock* clock_;
  std::vector<IssueEvent> events_;
};

}  // namespace heddle
