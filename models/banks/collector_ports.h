#pragma once

// The crossbar's write ports of the collectors in one cycle. Whole: a collector takes so many operand words.
// Sliced (Radaideh 2021, IV-B4): each of its four slices takes so many, from the sub-banks of its number. For
// limits: slices take from any sub-bank, so that widths alone count; or two words of rows at different sides
// go together.

#include <array>
#include <cstdint>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/growing_array.h"

namespace heddle {

class CollectorPorts {
 public:
  explicit CollectorPorts(int collectors) : taken_(static_cast<std::size_t>(collectors)) {}

  enum class Kind : std::uint8_t { whole, sliced, widths, sides };
  /// Forgets what was taken in an earlier cycle.
  void begin(Kind kind, int limit);
  /// Takes a read's ports; false, and nothing is taken, if they have not enough room.
  bool take(const WaitingAccess& read) {
    if (read.source >= taken_.size()) return true;
    Slices& taken = taken_[read.source];
    const Slices more = taken + slices_of(read);
    if (!fits(more)) return false;
    taken = more;
    touched_.push_back(read.source);
    return true;
  }
  bool has_room(const WaitingAccess& read) const {
    return read.source >= taken_.size() || fits(taken_[read.source] + slices_of(read));
  }

 private:
  /// What is taken of the four slices of a collector, in 16 bits each; whole: slice 0 counts; sides: 0 and 1.
  using Slices = std::uint64_t;
  /// Slices that a read adds, by its sub-banks; from bit 16 on, by its side.
  using Table = std::array<Slices, 32>;
  static Table table_of(Kind kind);
  Slices slices_of(const WaitingAccess& read) const {
    return table_[(read.sub_banks & 15u) | (read.left ? 16u : 0u)];
  }
  /// None of the slices is above the limit.
  bool fits(Slices taken) const { return (((limit_ | kTops) - taken) & kTops) == kTops; }

  static constexpr Slices kEach = 0x0001'0001'0001'0001u, kTops = kEach << 15;

  std::vector<Slices> taken_;  ///< by collector
  GrowingArray<std::uint16_t> touched_;
  Kind kind_ = Kind::whole;
  Table table_ = table_of(Kind::whole);
  Slices limit_ = kEach;
};

}  // namespace heddle
