#pragma once

// Interfaces that keep warps from issuing and move their registers. A warp that is held issues no
// instruction.
//
// - WarpHold holds single warps, for example while a register stage moves their values. Each register stage
//   may have one object of this class (RegisterStage::hold).
// - WarpResidency also moves the registers of warps out of the SM. A warp that is switched out executes save
//   and restore instructions, and later continues where it stopped. An issue constraint may have an object of
//   this class (IssueConstraint::residency); an SM has at most one. WarpResidency itself is the default: it
//   never holds a warp.
//
// In each cycle, the issue stage calls step() after it has processed the reports of the back end and before
// it calls the constraints.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "models/core/warp_set.h"
#include "models/isa/launch.h"
#include "models/ports/i_life_listener.h"

namespace heddle {

class WarpHost {
 public:
  virtual WarpSet running() const = 0;
  /// True if the warp waits at a barrier, also while its registers are in memory.
  virtual bool at_barrier(WarpId warp) const = 0;
  /// True if no instruction of the warp is in flight, and the SM will send no memory request for the warp.
  virtual bool quiet(WarpId warp) const = 0;
  virtual bool executed(WarpId warp) const = 0;
  /// Returns the position (pc) of an instruction in the warp's instruction buffer, even if this instruction
  /// waits for a result. `after` = 0: the next instruction of the warp; `after` = 1: the instruction after
  /// that. Returns nothing if the instruction is not decoded yet.
  virtual std::optional<std::uint32_t> next(WarpId warp, std::size_t after) const = 0;

  /// After switch_out() the warp issues no instruction of its own program. After switch_in() it continues
  /// where it stopped.
  virtual void switch_out(WarpId warp) = 0;
  virtual void switch_in(WarpId warp) = 0;
  /// Makes the warp execute the instructions at these positions (pc) instead of its own program. A later call
  /// replaces the instructions of an earlier call.
  virtual void execute(WarpId warp, std::span<const std::uint32_t> instead) = 0;
  /// Releases the register after its pending read. The caller guarantees that the register's value is saved
  /// in memory.
  virtual void release(WarpId warp, std::uint32_t reg) = 0;
  virtual void wake() = 0;

 protected:
  ~WarpHost() = default;
};

class WarpHold {
 public:
  virtual ~WarpHold() = default;

  /// True if this object may hold warps. If false, the SM calls no function that is declared below this one.
  bool may_hold() const { return reason_ != nullptr; }
  /// Name (kebab-case) of the stall reason that an idle issue slot gets if all warps of the scheduler are
  /// held.
  const char* reason() const { return reason_; }
  /// True if held warps wait for a long time, so that a two-level scheduler gives their active slots away.
  bool lasts() const { return lasts_; }
  /// True if this object may also hold warps that must keep their active slot (argument `bound` of step()).
  bool holds_bound() const { return holds_bound_; }

  /// Sets the host, through which this object observes and controls warps. Called once, when the SM is built.
  /// Not called for an object that got its host at construction.
  virtual void connect(WarpHost&) {}

  /// Returns the first cycle in which step() has work. From this cycle on, the issue stage calls step()
  /// whenever the issue stage runs.
  Cycle next_change() const { return next_change_; }
  /// Decides which warps are held (must not issue) in cycle `now`. `bound`: warps that must still issue,
  /// because they would otherwise lose a value that their next instruction reads. `active`: warps with an
  /// active slot after the last cycle in which a scheduler ran.
  virtual void step(Cycle /*now*/, WarpSet /*bound*/, WarpSet /*active*/) {}
  /// Returns the warps that must not issue.
  WarpSet held() const { return held_; }
  /// Returns the warps that may issue one instruction in this cycle, but not a second one.
  WarpSet held_after_next() const { return held_after_next_; }

 protected:
  const char* reason_ = nullptr;
  bool lasts_ = true, holds_bound_ = false;
  Cycle next_change_ = kNever;
  WarpSet held_, held_after_next_;
};

class WarpResidency : public WarpHold, public LifeListener {
 public:
  /// Returns the local memory that the launch needs, in bytes per thread.
  virtual std::uint32_t local_bytes(const isa::KernelLaunch& launch) const {
    return launch.program->local_bytes;
  }
  /// Returns the program that the SM loads for a kernel. The program begins with the kernel's instructions.
  /// Further instructions, such as code that spills registers, may follow; no branch of the kernel leads to
  /// these instructions.
  virtual std::shared_ptr<const isa::Program> load(const isa::KernelLaunch& launch) { return launch.program; }

  /// Called when the warp has issued an instruction that does not belong to its own program, such as a store
  /// that saves a register. `pc`: position of this instruction.
  virtual void issued_outside(WarpId, std::uint32_t /*pc*/) {}

  virtual void settle(Cycle /*cycle*/) {}
  /// Throws InternalError if the counters do not add up. `owner`: name of the SM for the error text.
  virtual void check_conservation(const std::string& /*owner*/) const {}
};

}  // namespace heddle
