#pragma once

// What the back end tells the issue stage. Seen by the issue stage in the cycle after it was sent, so that
// the order in which units run within a cycle cannot be observed; the events of one cycle commute.

#include <algorithm>
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
    if (end_ == events_.size()) [[unlikely]]
      grow();
    events_[end_++] = {clock_->now(), transfer.note, transfer.item};
  }

  /// Hands over, in order, every event sent before this cycle.
  template <class Handler>
  void drain(Handler&& handler) {
    const Cycle now = clock_->now();
    while (first_ < end_ && events_[first_].at < now) handler(events_[first_++]);
    // What was handed over is forgotten now and then, which costs less than in every cycle.
    if (first_ == end_) {
      first_ = end_ = 0;
    } else if (first_ >= kForget) {
      std::copy(events_.data() + first_, events_.data() + end_, events_.data());
      end_ -= first_;
      first_ = 0;
    }
  }
  bool empty() const { return first_ == end_; }

 private:
  // Out of line, so that an event takes a few instructions.
  [[gnu::noinline]] void grow() { events_.resize(2 * events_.size()); }

  const Clock* clock_;
  static constexpr std::size_t kForget = 64;
  std::vector<IssueEvent> events_ = std::vector<IssueEvent>(2 * kForget);  ///< grows as it has to
  std::size_t first_ = 0, end_ = 0;  ///< of events_: what stands before first_ has been handed over
};

}  // namespace heddle
