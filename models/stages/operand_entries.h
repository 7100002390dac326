#pragma once

// Contents of the entries of an operand file (small register storage that the compiler manages), lane by
// lane. The hardware has no tags. The register numbers stored here serve only to detect an invalid program
// and to read values for debugging.

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
    /// registers stored in the entry, each with its lanes; lanes without a register hold poison
    std::vector<Content> contents;
    Cycle ready = 0;  ///< cycle in which the last write to the entry got its port

    /// Returns the lanes of `mask` for which the entry does not hold a value of the register.
    LaneMask missing(RegId reg, LaneMask mask) const {
      for (const Content& content : contents)
        if (content.reg == reg) mask &= ~content.lanes;
      return mask;
    }
  };

  /// `width`: number of entries of each warp.
  OperandEntries(int warps, std::uint32_t width);

  /// Returns an entry of the warp. The first use by a warp allocates storage for all entries of the warp.
  Entry& at(WarpId warp, std::uint32_t number) { return entries_[slots_.take(warp) * width_ + number]; }
  std::uint32_t width() const { return width_; }
  void put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values, LaneMask lanes);
  /// The register has a newer value elsewhere. Poisons the lanes of the register that entries of the warp
  /// hold.
  void supersede(WarpId warp, RegId reg, LaneMask lanes);
  /// Invalidates all entries of the warp. Returns false if the warp has no entries.
  bool invalidate(WarpId warp);
  void leave(WarpId warp) { slots_.leave(warp); }

  /// Copies the lanes of the register that entries of the warp hold.
  void read(WarpId warp, RegId reg, LaneVec& into);
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);
  ProbePoint& probe() { return slots_.probe(); }

 private:
  /// Calls f(entry, content) for each entry of the warp that holds lanes of the register, until f returns
  /// true.
  template <class F>
  bool any_content(WarpId warp, RegId reg, F&& f) {
    const std::size_t slot = slots_.of(warp);
    for (std::uint32_t e = 0; slot != StorageSlots::kNone && e < width_; ++e)
      for (Entry::Content& content : entries_[slot * width_ + e].contents)
        if (content.reg == reg && f(entries_[slot * width_ + e], content)) return true;
    return false;
  }

  std::uint32_t width_;
  std::vector<Entry> entries_;  ///< indexed by slot * width_ + entry number
  StorageSlots slots_;
  /// For each warp: bit n is set if an entry may hold a register whose number is n modulo 64.
  std::vector<std::uint64_t> held_;
};

}  // namespace heddle
