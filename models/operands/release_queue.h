#pragma once

// Releases at the top of a register path: the payloads of those that collectors send behind their reads, and
// those that the issue stage asks for (instructions that take no collector, lists at joins, 001, 6.2), in the
// order asked for. They go down before what collectors send in the same cycle, on their credit, so that a
// release is ahead of whatever was issued behind it.

#include <deque>
#include <vector>

#include "models/operands/register_path.h"

namespace heddle {

class ReleaseQueue {
 public:
  struct Item {
    WarpId warp{};
    RegId reg{};
    KernelId kernel{};
    LaneMask live = kAllLanes;
    Cycle at = 0;
  };

  explicit ReleaseQueue(RegisterPath& path) : path_(&path) {}

  /// From the issue stage: sent from the next cycle on.
  void ask(const Item& item) { asked_.push_back(item); }
  /// The warp has ended: what is not sent in this cycle will not be.
  void drop(WarpId warp, Cycle now);
  /// f(warp, register) for each that the path has taken in earlier cycles than `now`; once.
  template <class F>
  void take_sent(Cycle now, F&& f) {
    std::size_t taken = 0;
    while (taken < sent_.size() && sent_[taken].at < now) {
      f(sent_[taken].warp, sent_[taken].reg);
      ++taken;
    }
    sent_.erase(sent_.begin(), sent_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  bool has_sent() const { return !sent_.empty(); }

  /// One cycle. True if there is more to do.
  bool step(Cycle now) { return !(asked_.empty() && dropped_.empty()) && step_asked(now); }
  /// Offers one release; false if the path is full.
  bool offer(const Item& item, const isa::Instruction* instruction = nullptr);
  void on_response(RegisterAccess& access) { free_.push_back(&access); }

 private:
  bool step_asked(Cycle now);
  [[gnu::cold]] void add();

  RegisterPath* path_;
  std::vector<Item> asked_, sent_;
  std::vector<std::pair<WarpId, Cycle>> dropped_;
  std::deque<RegisterAccess> all_;
  std::vector<RegisterAccess*> free_;
};

}  // namespace heddle
