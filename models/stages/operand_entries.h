#pragma once

// Contents of the entries of an operand file (small register storage that the compiler manages). Hardware has
// no tags. The register numbers stored here serve only to detect invalid programs and to read values for
// debugging.

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
    /// registers stored in the entry, each with its lanes; all other lanes of `values` hold kPoison, the
    /// pattern of freed storage
    std::vector<Content> contents;
    Cycle ready = 0;

    LaneMask missing(RegId reg, LaneMask mask) const {
      for (const Content& content : contents)
        if (content.reg == reg) mask &= ~content.lanes;
      return mask;
    }
  };

  OperandEntries(int warps, std::uint32_t width);

  Entry& at(WarpId warp, std::uint32_t number) { return entries_[slots_.take(warp) * width_ + number]; }
  std::uint32_t width() const { return width_; }
  void put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values, LaneMask lanes);
  /// Fills these lanes of the register with poison in all entries of the warp, because a newer value is
  /// stored elsewhere.
  void supersede(WarpId warp, RegId reg, LaneMask lanes);
  bool invalidate(WarpId warp);
  void leave(WarpId warp) { slots_.leave(warp); }

  void read(WarpId warp, RegId reg, LaneVec& into);
  bool flip_bit(WarpId warp, RegId reg, int lane, int bit);
  void probes(const ProbeScope& scope);

 private:
  template <class F>
  bool any_content(WarpId warp, RegId reg, F&& f) {
    const std::size_t slot = slots_.of(warp);
    for (std::uint32_t e = 0; slot != StorageSlots::kNone && e < width_; ++e)
      for (Entry::Content& content : entries_[slot * width_ + e].contents)
        if (content.reg == reg && f(entries_[slot * width_ + e], content)) return true;
    return false;
  }

  std::uint32_t width_;
  std::vector<Entry> entries_;
  StorageSlots slots_;
  std::vector<std::uint64_t> held_;
};

}  // namespace heddle
