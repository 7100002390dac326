#pragma once

// Contract "residency of warps". A held warp issues no instruction. A warp that is switched out executes instructions
// outside its program that save or restore its registers, and later continues at the same instruction. An
// issue constraint decides which warps are held (IssueConstraint::residency). An SM has at most one such
// object. The class itself is the null object: no warp is ever held.
//
// The issue stage calls step() in a cycle in which it is due, after the back end's reports and before the
// constraints. The constraint itself limits the registers that warps may claim, with the RegisterClaims of a
// partition.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "models/core/warp_set.h"
#include "models/isa/launch.h"
#include "models/ports/i_life_listener.h"

namespace heddle {

/// Access to the SM's warps.
class WarpHost {
 public:
  /// Resident warps that have not exited.
  virtual WarpSet running() const = 0;
  /// True if the warp waits at a barrier, also while it is switched out.
  virtual bool at_barrier(WarpId warp) const = 0;
  /// True if no instruction of the warp is in flight, and the warp will send no request by itself.
  virtual bool quiet(WarpId warp) const = 0;
  /// True if the warp has issued and completed all instructions of execute().
  virtual bool executed(WarpId warp) const = 0;

  /// switch_out(): the warp stops executing its own instructions. switch_in(): it continues where it stopped.
  virtual void switch_out(WarpId warp) = 0;
  virtual void switch_in(WarpId warp) = 0;
  /// The warp executes these instructions, by pc, instead of its own. They replace those of an earlier call.
  virtual void execute(WarpId warp, std::span<const std::uint32_t> instead) = 0;
  /// Releases a register that has been saved, after its read.
  virtual void release(WarpId warp, std::uint32_t reg) = 0;
  /// Wakes the issue stage in the next cycle.
  virtual void wake() = 0;

 protected:
  ~WarpHost() = default;
};

class WarpResidency : public LifeListener {
 public:
  virtual ~WarpResidency() = default;

  /// True if warps may be held. Otherwise no function below is called.
  bool may_hold() const { return reason_ != nullptr; }
  /// Stall reason of idle slots of a scheduler that has only held warps.
  const char* reason() const { return reason_; }

  /// Local memory that the launch needs, in bytes a thread.
  virtual std::uint32_t local_bytes(const isa::KernelLaunch& launch) const {
    return launch.program->local_bytes;
  }
  /// A kernel begins. Returns its program as loaded. Instructions that no path of the program reaches may
  /// follow the program's own.
  virtual std::shared_ptr<const isa::Program> load(const isa::KernelLaunch& launch) { return launch.program; }

  /// First cycle in which step() has work. After step(), the issue stage wakes in this cycle if it is later.
  /// From this cycle on, it calls step() whenever it runs.
  Cycle next_change() const { return next_change_; }
  /// Advances to cycle `now`. `bound`: warps that must not be held, because their next instruction reads a
  /// value that would be lost.
  virtual void step(Cycle /*now*/, WarpSet /*bound*/) {}
  /// Warps that must not issue, except those in `bound`.
  WarpSet held() const { return held_; }
  /// The warp issued the instruction at `pc`, which lies outside its program.
  virtual void issued_outside(WarpId, std::uint32_t /*pc*/) {}

  virtual void settle(Cycle /*cycle*/) {}
  /// Throws InternalError, which names the owner, if the counters do not add up.
  virtual void check_conservation(const std::string& /*owner*/) const {}

 protected:
  const char* reason_ = nullptr;
  Cycle next_change_ = kNever;
  WarpSet held_;
};

}  // namespace heddle
