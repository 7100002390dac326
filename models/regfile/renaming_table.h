#pragma once

// The renaming table (001, 7.1, Fig. 6): by {warp, register} the entry that the register has, or none. Banks
// of the table answer one look-up a cycle. Plain.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/register_set.h"
#include "models/ports/register_place.h"

namespace heddle {

class RenamingTable {
 public:
  static constexpr std::uint32_t kRegisters = 256;  ///< of a warp, at most

  RenamingTable(int warps, int banks)
      : places_(static_cast<std::size_t>(warps) * kRegisters),
        mapped_(static_cast<std::size_t>(warps)),
        busy_to_(static_cast<std::size_t>(banks)),
        mask_((banks & (banks - 1)) == 0 ? static_cast<std::size_t>(banks) - 1 : 0) {}

  const RegisterPlace& find(WarpId warp, RegId reg) const { return places_[index(warp, reg)]; }
  /// The warp's registers, by number.
  const RegisterPlace* row(WarpId warp) const { return &places_[index(warp, RegId(0))]; }
  const RegisterSet& mapped(WarpId warp) const { return mapped_[warp.value]; }
  std::uint32_t entries() const { return count_; }  ///< that hold a mapping
  void map(WarpId warp, RegId reg, const RegisterPlace& place) {
    RegisterPlace& at = places_[index(warp, reg)];
    count_ += !at.set;
    at = place;
    mapped_[warp.value].set(reg.value);
  }
  void unmap(WarpId warp, RegId reg) {
    RegisterPlace& at = places_[index(warp, reg)];
    count_ -= at.set;
    at = {};
    mapped_[warp.value].clear(reg.value);
  }
  /// A fault: a bit of the entry's number changes. False if the register is not mapped.
  bool flip(WarpId warp, RegId reg, int bit) {
    RegisterPlace& at = places_[index(warp, reg)];
    at.entry ^= std::uint32_t{at.set} << bit;
    return at.set;
  }

  /// Look-ups of a bank follow each other: the cycle of one that comes in `now`. looked_up() makes it.
  Cycle look_up_at(Cycle now, RegId reg) const { return std::max(now, busy_to_[bank_of(reg)]); }
  void looked_up(Cycle at, RegId reg) { busy_to_[bank_of(reg)] = at + 1; }

 private:
  static std::size_t index(WarpId warp, RegId reg) {
    return std::size_t{warp.value} * kRegisters + reg.value;
  }
  std::size_t bank_of(RegId reg) const {
    return mask_ ? reg.value & mask_ : busy_to_.size() == 1 ? 0 : reg.value % busy_to_.size();
  }

  std::vector<RegisterPlace> places_;
  std::vector<RegisterSet> mapped_;  ///< by warp
  std::vector<Cycle> busy_to_;       ///< by bank: the next cycle without a look-up
  std::size_t mask_;                 ///< of as many banks as a power of two
  std::uint32_t count_ = 0;
};

}  // namespace heddle
