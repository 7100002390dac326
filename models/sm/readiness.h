#pragma once

// Readiness of warps: bit sets over the warp slots, as of the end of the previous cycle. Only changed warps
// are evaluated again, all of them at once.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/warp_table.h"

namespace heddle {

struct WarpSets {
  WarpSet resident = 0;         ///< not exited
  WarpSet has_instruction = 0;  ///< a decoded instruction of the warp's path can issue, but for hazards
  WarpSet hazard = 0;           ///< of these: it depends on what is in flight
  WarpSet long_wait = 0;        ///< of these: on results of long latency
  WarpSet at_barrier = 0, at_fence = 0;
  WarpSet drained = 0;               ///< nothing is in a collector or on its way with a short latency
  std::array<WarpSet, 5> by_unit{};  ///< has_instruction by isa::UnitClass
  WarpSet full = 0;                  ///< of has_instruction: all lanes are on the path

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

  /// A kernel begins.
  void begin(std::span<const InstructionFootprint> footprints);

  const WarpSets& sets() const { return sets_; }
  /// Warps of `waiting`, all of which wait for a long-latency result, that wait for a texture look-up.
  bool any_waits_for_texture(WarpSet waiting) const {
    return looks_up_ && std::any_of(waiting.begin(), waiting.end(), [this](WarpId warp) {
             return warps_.scoreboard(warp).texture_hazard(*footprints_[warp.value]);
           });
  }
  /// View of every warp slot for policies and constraints.
  std::span<const WarpView> views() const { return views_; }
  /// By warp slot: the head instruction of has_instruction; the one after it of pairs_among().
  std::span<const isa::Instruction* const> heads() const { return heads_; }
  std::span<const isa::Instruction* const> seconds() const { return seconds_; }

  void started(WarpId warp, std::uint64_t age, CtaSlot cta);
  /// Something about the warp has changed: it is looked at in the next refresh().
  void touch(WarpId warp) { dirty_ |= bit_of(warp); }
  // An operation of the warp has ended. It can only unblock the warp: a warp without a hazard stays as it
  // was.
  void reads_over(WarpId warp, const InstructionFootprint& instruction) {
    if (sets_.hazard.contains(warp) && frees(instruction.reads, footprints_[warp.value]->writes, instruction))
      freed_.add(warp);
  }
  /// Something that its instruction may wait for is over.
  void freed(WarpId warp) { freed_ |= bit_of(warp) & sets_.hazard; }
  void completed(WarpId warp) {
    freed_ |= bit_of(warp) & sets_.hazard;
    dirty_ |= bit_of(warp) & sets_.at_fence;
  }
  /// Lists of registers in front of an instruction are released when it issues: what is issued after it in
  /// the same cycle could write them.
  void lists_release() { lists_release_ = true; }
  void drained(WarpId warp) {
    sets_.drained |= bit_of(warp) & sets_.resident;
    drained_.add(warp);
  }

  /// Sorts the changed warps into the sets by what their head instructions could do in this cycle.
  void refresh();
  /// Some warp may wait for sources that others of its instructions have still to read.
  bool any_waits_for_reads() const { return !waits_for_reads_.empty(); }
  /// Warps that the last refresh() evaluated again, and those that had drained by then.
  WarpSet changed() const { return changed_; }
  WarpSet just_drained() const { return just_drained_; }

  /// Warps of `ready` whose next two instructions could issue in one cycle, constraints aside.
  WarpSet pairs_among(WarpSet ready);
  /// Warps by the unit class of the instruction after the head.
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
  WarpSet waits_for_reads_;  ///< at least those that do
  bool lists_release_ = false;
  bool looks_up_ = false;  ///< a kernel so far looks up textures
  std::vector<WarpView> views_;
  std::vector<const InstructionFootprint*> footprints_;  ///< of heads_
  std::vector<const isa::Instruction*> heads_, seconds_;
};

}  // namespace heddle
