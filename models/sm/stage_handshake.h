#pragma once

// How scheduling and the register-file stages above the banks agree: a warp that gives up its active slot
// leaves their storage first, and does not leave between instructions that pass values through it.

#include <vector>

#include "models/operands/register_path.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

class StageHandshake {
 public:
  explicit StageHandshake(int partitions) : paths_(static_cast<std::size_t>(partitions)) {}

  void connect(std::size_t partition, RegisterPath& path);
  /// Stages of some partition want to hear of issued instructions or of active slots; without that nothing
  /// here has to be called.
  bool listens() const { return listens_; }
  /// Stages of some partition want to hear of active slots.
  bool follows_slots() const { return follows_slots_; }

  void started(WarpId warp);
  void issued(std::size_t partition, const InstructionIssued& instruction);
  /// Of the `drained` warps of a scheduler, those that may give up their slot in this cycle.
  WarpSet drained(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained) const {
    return follows_slots_ ? flushed(partition, policy, drained) : drained;
  }
  /// After the policy has chosen: warps of `drained` that leave, and those of `resident` that have come back.
  /// True if the stages heard of one that leaves.
  bool note(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained, WarpSet resident) {
    return follows_slots_ && note_leaving(partition, policy, drained, resident);
  }
  /// Warps between instructions that pass values through entries: they keep their slot.
  WarpSet bound() const { return bound_; }

 private:
  WarpSet flushed(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained) const;
  bool note_leaving(std::size_t partition, const SchedulerPolicy& policy, WarpSet drained, WarpSet resident);

  std::vector<RegisterPath*> paths_;  ///< by partition; nullptr where no stage listens
  bool listens_ = false, follows_slots_ = false;
  WarpSet bound_ = 0;
  WarpSet deactivated_ = 0;  ///< told the stages that they give up their active slot
};

}  // namespace heddle
