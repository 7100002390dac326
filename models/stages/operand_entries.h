#pragma once

// Contents of an operand file's entries, lane by lane. The hardware has no tags. Register names are stored
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
    std::vector<Content> contents;  ///< registers in the entry; lanes without a register hold poison
    Cycle ready = 0;                ///< cycle in which the last write got its port

    /// Returns the lanes of `mask` without a value of the register.
    LaneMask missing(RegId reg, LaneMask mask) const {
      for (const Content& content : contents)
        if (content.reg == reg) mask &= ~content.lanes;
      return mask;
    }
  };

  /// `width`: entries of a warp.
  OperandEntries(int warps, std::uint32_t width);

  /// Returns an entry of the warp. The warp's first use allocates its slot.
  Entry& at(WarpId warp, std::uint32_t number) { return entries_[slots_.take(warp) * width_ + number]; }
  std::uint32_t width() const { return width_; }
  void put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values, LaneMask lanes);
  /// The register got a new value elsewhere: the lanes that entries hold of it become poison.
  void supersede(WarpId warp, RegId reg, LaneMask lanes);
  /// Invalidates the warp's entries. Returns false if the warp has none.
  bool invalidate(WarpId warp);
  void leave(WarpId warp) { slots_.leave(warp); }

  /// Reads the lanes of the register that entries hold.
  void read(WarpId warp, RegId reg, LaneVec& into);
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);
  ProbePoint& probe() { return slots_.probe(); }

 private:
  /// Calls f(entry, content) for all contents of the register in the warp's entries, until f returns true.
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
  /// By warp: bit n is set if entries may hold a register whose number is n modulo 64.
  std::vector<std::uint64_t> held_;
};

}  // namespace heddle
