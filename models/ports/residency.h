#pragma once

// Contract "residency of warps": a warp may be held, so that it issues nothing, or put away: it then executes
// instructions outside of its program that save or restore its registers, and continues later at the same
// place. An issue constraint decides it (IssueConstraint::residency), one for an SM. The class itself is the
// null object: no warp is ever held.
//
// In a cycle with step() due the issue stage calls it after it has processed the back end's reports and
// before it calls the constraints. The constraint itself decides which registers warps may take, with the
// RegisterClaims of a partition.

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
  /// Resident, not exited.
  virtual WarpSet running() const = 0;
  /// Waits at a barrier, away or not.
  virtual bool at_barrier(WarpId warp) const = 0;
  /// Nothing is in flight to it or from it, and it will request nothing by itself.
  virtual bool quiet(WarpId warp) const = 0;
  /// It has nothing left of what it was given to execute.
  virtual bool executed(WarpId warp) const = 0;

  /// The warp stops executing its own instructions, and comes back to where it stood.
  virtual void leaves(WarpId warp) = 0;
  virtual void comes_back(WarpId warp) = 0;
  /// It executes these instructions, by pc, in the place of its own or of what it was given before.
  virtual void execute(WarpId warp, std::span<const std::uint32_t> instead) = 0;
  /// A register that has been saved is released, after its read.
  virtual void release(WarpId warp, std::uint32_t reg) = 0;
  /// There is something to do in the next cycle.
  virtual void wake() = 0;

 protected:
  ~WarpHost() = default;
};

class WarpResidency : public LifeListener {
 public:
  virtual ~WarpResidency() = default;

  /// Warps may be held. If not, nothing below is called.
  bool may_hold() const { return reason_ != nullptr; }
  /// Under which idle slots of a scheduler count that has nothing but held warps.
  const char* reason() const { return reason_; }

  /// Bytes of local memory a thread that the launch takes.
  virtual std::uint32_t local_bytes(const isa::KernelLaunch& launch) const {
    return launch.program->local_bytes;
  }
  /// A kernel begins, with its program as loaded. Instructions that no path of the program reaches may follow
  /// its own.
  virtual std::shared_ptr<const isa::Program> load(const isa::KernelLaunch& launch) { return launch.program; }

  /// The next cycle in which step() has something to do, if the issue stage runs in it; it wakes for a later one.
  Cycle next_change() const { return next_change_; }
  /// `bound`: warps that must not be held, between instructions that pass values through what they would lose.
  virtual void step(Cycle /*now*/, WarpSet /*bound*/) {}
  /// Warps that issue nothing, except those that are bound().
  WarpSet held() const { return held_; }
  /// The warp issued the instruction at `pc`, which stands beside its program.
  virtual void issued_beside(WarpId, std::uint32_t /*pc*/) {}

  virtual void settle(Cycle /*cycle*/) {}
  /// InternalError, by the name of its owner, if what is counted does not agree.
  virtual void check_conservation(const std::string& /*owner*/) const {}

 protected:
  const char* reason_ = nullptr;
  Cycle next_change_ = kNever;
  WarpSet held_;
};

}  // namespace heddle
