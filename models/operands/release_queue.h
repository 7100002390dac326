#pragma once

// Queue of releases at the top of a register path, in order. It holds the releases that collectors send after
// their reads. It also holds the releases of the issue stage, for instructions without a collector and for
// register lists at joins (Jeon 2015, 6.2). Releases are sent before the accesses of collectors in the same
// cycle, with the collectors' credit, so that a release precedes the accesses of every later instruction.

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

  /// Queues a release of the issue stage, which is sent from the next cycle on.
  void request(Cycle now, const Item& item) { requested_.put(now, item); }
  /// The warp has ended. Its releases that are not sent in this cycle are dropped.
  void drop(WarpId warp, Cycle now);
  /// Calls f(warp, register) once for each release that the path accepted before cycle `now`.
  template <class F>
  void take_sent(Cycle now, F&& f) {
    sent_.take(now, [&f](const Item& item) { f(item.warp, item.reg); });
  }
  bool has_sent() const { return !sent_.empty(); }
  /// waiting(): queued releases that are not sent. dropped(): releases dropped so far. Both over all warps.
  std::uint64_t waiting() const { return static_cast<std::uint64_t>(requested_.end() - requested_.begin()); }
  std::uint64_t dropped() const { return drops_; }

  /// Runs one cycle. Returns true if there is more to do.
  bool step(Cycle now) { return !(requested_.empty() && dropped_.empty()) && step_requested(now); }
  /// Offers one release. Returns false if the path is full.
  bool offer(const Item& item, const isa::Instruction* instruction = nullptr);
  void on_response(RegisterAccess& access) { free_.push_back(&access); }

 private:
  bool step_requested(Cycle now);
  void add();

  RegisterPath* path_;
  LifeChannel* life_;
  CycleInbox<Item> requested_, sent_;
  CycleInbox<WarpId> dropped_;
  std::uint64_t drops_ = 0;  ///< dropped releases
  std::deque<RegisterAccess> all_;
  std::vector<RegisterAccess*> free_;
};

}  // namespace heddle
