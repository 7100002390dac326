#pragma once

// Readiness of warps for issue, as bit sets over the warp slots at the end of the previous cycle. refresh()
// evaluates only the warps that have changed.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "models/scheduler/i_scheduler_policy.h"
#include "models/sm/instruction_buffers.h"
#include "models/sm/warp_table.h"

namespace heddle {

struct WarpSets {
  WarpSet resident = 0;
  /// Warps that have a decoded instruction on their path, and that do not wait for a barrier, a fence, an
  /// mbarrier or copies. The instruction may have hazards.
  WarpSet has_instruction = 0;
  WarpSet hazard = 0;     ///< warps in has_instruction; their instruction depends on an instruction in flight
  WarpSet long_wait = 0;  ///< warps of has_instruction that wait for a result of long latency
  WarpSet at_barrier = 0, at_fence = 0, at_async = 0;
  /// warps with no instruction in a collector and no short-latency instruction in flight
  WarpSet drained = 0;
  /// warps of has_instruction, by the isa::UnitClass of their next instruction
  std::array<WarpSet, kUnitClasses> by_unit{};
  WarpSet full = 0;  ///< warps of has_instruction with all lanes on the current path

  void keep(WarpSet warps) {
    resident &= warps;
    has_instruction &= warps;
    hazard &= warps;
    long_wait &= warps;
    at_barrier &= warps;
    at_fence &= warps;
    at_async &= warps;
    drained &= warps;
    full &= warps;
    by_unit[0] &= warps;
    by_unit[1] &= warps;
    by_unit[2] &= warps;
    by_unit[3] &= warps;
    by_unit[4] &= warps;
    by_unit[5] &= warps;
  }
};

class Readiness {
 public:
  /// `orders_writes`: an instruction may issue before an earlier instruction has read the register that it
  /// overwrites, because the banks keep the order (RegisterFileParameters::orders_writes_after_reads).
  Readiness(const WarpTable& warps, InstructionBuffers& buffers, bool orders_writes = false);

  void begin(std::span<const InstructionFootprint> footprints);

  const WarpSets& sets() const { return sets_; }
  /// True if a warp of `waiting` waits for a texture look-up. The caller must pass only warps that wait for a
  /// long-latency result.
  bool any_waits_for_texture(WarpSet waiting) const {
    return looks_up_ && std::any_of(waiting.begin(), waiting.end(), [this](WarpId warp) {
             return warps_.scoreboard(warp).texture_hazard(*footprints_[warp.value]);
           });
  }
  std::span<const WarpView> views() const { return views_; }
  /// Instructions, indexed by warp slot. heads(): next instruction of each warp in `has_instruction`.
  /// seconds(): the second of the next two instructions, for each warp that the last pairs_among() returned.
  std::span<const isa::Instruction* const> heads() const { return heads_; }
  std::span<const isa::Instruction* const> seconds() const { return seconds_; }

  void started(WarpId warp, std::uint64_t age, CtaSlot cta);
  void touch(WarpId warp) { dirty_ |= bit_of(warp); }
  // Records that an instruction of the warp has read its sources, which can end a write-after-read hazard.
  void reads_over(WarpId warp, const InstructionFootprint& instruction) {
    if (sets_.hazard.contains(warp) && frees(instruction.reads, footprints_[warp.value]->writes, instruction))
      freed_.add(warp);
  }
  void freed(WarpId warp) { freed_ |= bit_of(warp) & sets_.hazard; }
  void completed(WarpId warp) {
    freed_ |= bit_of(warp) & sets_.hazard;
    dirty_ |= bit_of(warp) & (sets_.at_fence | sets_.at_async);
  }
  /// Must be called for programs with lists of dead registers (`pbr` metadata). The instruction after such a
  /// list releases the listed registers when it issues. It never issues together with its successor, because
  /// the successor could write a listed register.
  void lists_release() { lists_release_ = true; }
  void drained(WarpId warp) {
    sets_.drained |= bit_of(warp) & sets_.resident;
    drained_.add(warp);
  }

  void refresh();
  bool any_waits_for_reads() const { return !waits_for_reads_.empty(); }
  /// changed(): warps whose readiness may have changed in the last refresh(). just_drained(): warps that
  /// drained between the last two calls of refresh().
  WarpSet changed() const { return changed_; }
  WarpSet just_drained() const { return just_drained_; }

  /// Returns the warps of `ready` whose next two instructions could issue in one cycle if no constraint blocked
  /// the second instruction.
  WarpSet pairs_among(WarpSet ready);
  /// Returns, for each unit class, the warps among `warps` whose second buffered instruction uses this class.
  std::array<WarpSet, kUnitClasses> next_by_unit(WarpSet warps) const;

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
  std::uint64_t read_hazards_;  ///< mask: all bits if pending reads stall a later write, otherwise 0
  WarpSets sets_;
  WarpSet dirty_ = 0, freed_ = 0, drained_ = 0, changed_ = 0, just_drained_ = 0;
  WarpSet waits_for_reads_;
  bool lists_release_ = false;
  bool looks_up_ = false;
  std::vector<WarpView> views_;
  std::vector<const InstructionFootprint*> footprints_;
  std::vector<const isa::Instruction*> heads_, seconds_;
};

}  // namespace heddle
