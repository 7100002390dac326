#pragma once

// Contents of an operand file's entries, lane by lane. Hardware has no tags: the register names are stored
// here only to detect an invalid program, and for transport_dbg.

#include <vector>

#include "models/ports/register_access.h"
#include "models/stages/storage_slots.h"

namespace heddle {

class OperandEntries {
 public:
  struct Entry {
    struct Content {
      RegId reg{};
      LaneMask lanes = 0;
    };
    LaneVec values;
    std::vector<Content> contents;  ///< lanes of no content hold poison
    Cycle ready = 0;                ///< when its last write has got its port

    /// Lanes of `mask` that hold no value of the register.
    LaneMask missing(RegId reg, LaneMask mask) const {
      for (const Content& content : contents)
        if (content.reg == reg) mask &= ~content.lanes;
      return mask;
    }
  };

  /// `width`: entries of a warp.
  OperandEntries(int warps, std::uint32_t width);

  /// The warp takes a slot with its first use.
  Entry& at(WarpId warp, std::uint32_t number) { return entries_[slots_.take(warp) * width_ + number]; }
  std::uint32_t width() const { return width_; }
  void put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values, LaneMask lanes);
  /// The register has a new value elsewhere: lanes that an entry holds of it become poison.
  void supersede(WarpId warp, RegId reg, LaneMask lanes);
  /// The warp's entries lose their values. False if it has none.
  bool invalidate(WarpId warp);
  void leave(WarpId warp) { slots_.leave(warp); }

  /// Lanes that entries hold of the register.
  void read(WarpId warp, RegId reg, LaneVec& into);
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);
  ProbePoint& probe() { return slots_.probe(); }

 private:
  /// f(entry, content) for what the warp's entries hold of the register, until it is true.
  template <class F>
  bool any_content(WarpId warp, RegId reg, F&& f) {
    const std::size_t slot = slots_.of(warp);
    for (std::uint32_t e = 0; slot != StorageSlots::kNone && e < width_; ++e)
      for (Entry::Content& content : entries_[slot * width_ + e].contents)
        if (content.reg == reg && f(entries_[slot * width_ + e], content)) return true;
    return false;
  }

  std::uint32_t width_;
  std::vector<Entry> entries_;  ///< by slot
  StorageSlots slots_;
  /// By warp, of the registers that entries may hold something of: bit n of those whose number is n, modulo 64.
  std::vector<std::uint64_t> held_;
};

}  // namespace heddle
