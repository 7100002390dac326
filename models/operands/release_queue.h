#pragma once

// Releases at the top of a register path: those that collectors send after their reads, and those of the
// issue stage (instructions that take no collector, lists at joins, Jeon 2015, 6.2), in order. They go down
// before accesses that collectors send in the same cycle, on the collectors' credit, so that a release
// precedes every later instruction.

#include <deque>
#include <vector>

#include "models/core/cycle_inbox.h"
#include "models/operands/register_path.h"

namespace heddle {

class ReleaseQueue {
 public:
  struct Item {
    WarpId warp{};
    RegId reg{};
    LaneMask live = kAllLanes;
  };

  ReleaseQueue(RegisterPath& path, LifeChannel& life) : path_(&path), life_(&life) {}

  /// From the issue stage: sent from the next cycle on.
  void ask(Cycle now, const Item& item) { asked_.put(now, item); }
  /// The warp has ended: what is not sent in this cycle will not be.
  void drop(WarpId warp, Cycle now);
  /// f(warp, register) for each that the path has taken in earlier cycles than `now`; once.
  template <class F>
  void take_sent(Cycle now, F&& f) {
    sent_.take(now, [&f](const Item& item) { f(item.warp, item.reg); });
  }
  bool has_sent() const { return !sent_.empty(); }
  /// Queued and not sent yet; or dropped, over all warps.
  std::uint64_t waiting() const { return static_cast<std::uint64_t>(asked_.end() - asked_.begin()); }
  std::uint64_t dropped() const { return drops_; }

  /// One cycle. True if there is more to do.
  bool step(Cycle now) { return !(asked_.empty() && dropped_.empty()) && step_asked(now); }
  /// Offers one release; false if the path is full.
  bool offer(const Item& item, const isa::Instruction* instruction = nullptr);
  void on_response(RegisterAccess& access) { free_.push_back(&access); }

 private:
  bool step_asked(Cycle now);
  void add();

  RegisterPath* path_;
  LifeChannel* life_;
  CycleInbox<Item> asked_, sent_;
  CycleInbox<WarpId> dropped_;
  std::uint64_t drops_ = 0;  ///< releases
  std::deque<RegisterAccess> all_;
  std::vector<RegisterAccess*> free_;
};

}  // namespace heddle
