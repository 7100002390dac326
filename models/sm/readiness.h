#pragma once

// Readiness of warps as bit sets over the warp slots, as of the end of the previous cycle. refresh()
// evaluates all changed warps, and no others.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/warp_table.h"

namespace heddle {

struct WarpSets {
  WarpSet resident = 0;  ///< warps that have not exited
  /// Warps with a decoded instruction on their path that could issue but for hazards.
  WarpSet has_instruction = 0;
  WarpSet hazard = 0;     ///< warps of has_instruction whose instruction depends on one in flight
  WarpSet long_wait = 0;  ///< warps of has_instruction that depend on a result of long latency
  WarpSet at_barrier = 0, at_fence = 0;
  WarpSet drained = 0;  ///< warps without an instruction in a collector or in flight with short latency
  std::array<WarpSet, 5> by_unit{};  ///< has_instruction by isa::UnitClass
  WarpSet full = 0;                  ///< warps of has_instruction with all lanes on the path

  void keep(WarpSet warps) {
    resident &= warps;
    has_instruction &= warps;
    hazard &= warps;
    long_wait &= warps;
    at_barrier &= warps;
    at_fence &= warps;
    drained &= warps;
    full &= warps;
    by_unit[0] &= warps;
    by_unit[1] &= warps;
    by_unit[2] &= warps;
    by_unit[3] &= warps;
    by_unit[4] &= warps;
  }
};

class Readiness {
 public:
  Readiness(const WarpTable& warps, InstructionBuffers& buffers);

  /// A kernel begins, with these instructions.
  void begin(std::span<const InstructionFootprint> footprints);

  const WarpSets& sets() const { return sets_; }
  /// True if a warp of `waiting` waits for a texture look-up. All warps of `waiting` must wait for a
  /// long-latency result.
  bool any_waits_for_texture(WarpSet waiting) const {
    return looks_up_ && std::any_of(waiting.begin(), waiting.end(), [this](WarpId warp) {
             return warps_.scoreboard(warp).texture_hazard(*footprints_[warp.value]);
           });
  }
  /// View of every warp slot for policies and constraints.
  std::span<const WarpView> views() const { return views_; }
  /// By warp slot. heads(): first instruction of the warps in has_instruction. seconds(): instruction after
  /// the head, for the warps that the last pairs_among() returned.
  std::span<const isa::Instruction* const> heads() const { return heads_; }
  std::span<const isa::Instruction* const> seconds() const { return seconds_; }

  void started(WarpId warp, std::uint64_t age, CtaSlot cta);
  /// Marks a changed warp. The next refresh() evaluates it.
  void touch(WarpId warp) { dirty_ |= bit_of(warp); }
  // The instruction has read its sources. This can only remove hazards, so a warp without a hazard does not
  // change.
  void reads_over(WarpId warp, const InstructionFootprint& instruction) {
    if (sets_.hazard.contains(warp) && frees(instruction.reads, footprints_[warp.value]->writes, instruction))
      freed_.add(warp);
  }
  /// An event has occurred that the warp's instruction may wait for.
  void freed(WarpId warp) { freed_ |= bit_of(warp) & sets_.hazard; }
  void completed(WarpId warp) {
    freed_ |= bit_of(warp) & sets_.hazard;
    dirty_ |= bit_of(warp) & sets_.at_fence;
  }
  /// Lists of registers in front of an instruction are released when the instruction issues. Pairs are then
  /// restricted: the second instruction could write a listed register.
  void lists_release() { lists_release_ = true; }
  void drained(WarpId warp) {
    sets_.drained |= bit_of(warp) & sets_.resident;
    drained_.add(warp);
  }

  /// Sorts the changed warps into the sets by their head instruction in this cycle.
  void refresh();
  /// True if a warp may wait for sources that its other instructions have still to read.
  bool any_waits_for_reads() const { return !waits_for_reads_.empty(); }
  /// changed(): warps that the last refresh() evaluated again. just_drained(): warps that had drained by
  /// then.
  WarpSet changed() const { return changed_; }
  WarpSet just_drained() const { return just_drained_; }

  /// Returns the warps of `ready` whose next two instructions could issue in one cycle, apart from
  /// constraints.
  WarpSet pairs_among(WarpSet ready);
  /// Returns warps by the unit class of the instruction after the head.
  std::array<WarpSet, 5> next_by_unit(WarpSet warps) const;

 private:
  static bool frees(const RegisterSet& ended, const RegisterSet& wanted,
                    const InstructionFootprint& instruction) {
    std::uint64_t common = 0;
    for_set_words(instruction, [&](std::size_t i) { common |= ended.bits[i] & wanted.bits[i]; });
    return common != 0;
  }
  void look_at_freed();
  inline void look_at(WarpId warp);
  void look_for_hazards(WarpId warp);
  bool can_pair(WarpId warp) const;

  const WarpTable& warps_;
  InstructionBuffers& buffers_;
  WarpSets sets_;
  WarpSet dirty_ = 0, freed_ = 0, drained_ = 0, changed_ = 0, just_drained_ = 0;
  WarpSet waits_for_reads_;  ///< superset of the warps that wait for pending reads
  bool lists_release_ = false;
  bool looks_up_ = false;  ///< true if a kernel so far looks up textures
  std::vector<WarpView> views_;
  std::vector<const InstructionFootprint*> footprints_;  ///< footprints of heads_
  std::vector<const isa::Instruction*> heads_, seconds_;
};

}  // namespace heddle
