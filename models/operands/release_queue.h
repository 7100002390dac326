#pragma once

// Queues register releases until the first stage of a register path accepts them. The collectors release
// registers after their reads. The issue stage releases the dead registers of instructions that use no
// collector. The issue stage also releases the registers that the program lists at points where branches meet
// (Jeon 2015, 6.2). The register path accepts a release before it accepts an access of any later instruction.

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

  void request(Cycle now, const Item& item) { requested_.put(now, item); }
  /// Drops the queued releases of a warp that has ended, except those that the register path accepts in cycle
  /// `now`.
  void drop(WarpId warp, Cycle now);
  /// Calls f(warp, register) once for each release that the register path accepted before cycle `now`.
  template <class F>
  void take_sent(Cycle now, F&& f) {
    sent_.take(now, [&f](const Item& item) { f(item.warp, item.reg); });
  }
  bool has_sent() const { return !sent_.empty(); }
  std::uint64_t waiting() const { return static_cast<std::uint64_t>(requested_.end() - requested_.begin()); }
  std::uint64_t dropped() const { return drops_; }

  bool step(Cycle now) { return !(requested_.empty() && dropped_.empty()) && step_requested(now); }
  /// Offers a release to the register path. Returns false if the path refuses it.
  bool offer(const Item& item, const isa::Instruction* instruction = nullptr);
  void on_response(RegisterAccess& access) { free_.push_back(&access); }

 private:
  bool step_requested(Cycle now);
  void add();

  RegisterPath* path_;
  LifeChannel* life_;
  CycleInbox<Item> requested_, sent_;
  CycleInbox<WarpId> dropped_;
  std::uint64_t drops_ = 0;
  std::deque<RegisterAccess> all_;
  std::vector<RegisterAccess*> free_;
};

}  // namespace heddle
