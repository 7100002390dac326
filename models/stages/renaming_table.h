#pragma once

// Models the renaming table (Jeon 2015, 7.1, Fig. 6). For each {warp, register}, the table gives the bank and
// entry, if the register has an entry.

#include <cstdint>
#include <vector>

#include "models/core/ids.h"
#include "models/core/register_set.h"
#include "models/ports/register_place.h"

namespace heddle {

class RenamingTable {
 public:
  static constexpr std::uint32_t kRegisters = 256;

  explicit RenamingTable(int warps)
      : places_(static_cast<std::size_t>(warps) * kRegisters), exempt_(static_cast<std::size_t>(warps)) {}

  void set_exempt(WarpId warp, std::uint32_t below) { exempt_[warp.value] = below; }
  std::uint32_t exempt_below(WarpId warp) const { return exempt_[warp.value]; }
  bool exempt(WarpId warp, RegId reg) const { return reg.value < exempt_below(warp); }

  const RegisterPlace& find(WarpId warp, RegId reg) const { return places_[index(warp, reg)]; }
  const RegisterPlace* row(WarpId warp) const { return &places_[index(warp, RegId(0))]; }
  RegisterSet mapped(WarpId warp) const {
    RegisterSet registers;
    for (std::uint32_t r = 0; r < kRegisters; ++r)
      if (row(warp)[r].set) registers.set(r);
    return registers;
  }
  std::uint32_t entries() const { return count_; }
  void map(WarpId warp, RegId reg, const RegisterPlace& place) {
    RegisterPlace& at = places_[index(warp, reg)];
    count_ += !at.set;
    at = place;
  }
  void unmap(WarpId warp, RegId reg) {
    RegisterPlace& at = places_[index(warp, reg)];
    count_ -= at.set;
    at = {};
  }
  /// Fault injection: flips a bit of the entry number. Returns false if the register has no mapping.
  bool flip(WarpId warp, RegId reg, int bit) {
    RegisterPlace& at = places_[index(warp, reg)];
    at.entry ^= std::uint32_t{at.set} << bit;
    return at.set;
  }

 private:
  static std::size_t index(WarpId warp, RegId reg) {
    return std::size_t{warp.value} * kRegisters + reg.value;
  }

  std::vector<RegisterPlace> places_;
  std::vector<std::uint32_t> exempt_;
  std::uint32_t count_ = 0;
};

}  // namespace heddle
