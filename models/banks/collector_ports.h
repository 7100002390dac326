#pragma once

// Models the write ports of the crossbar at the collectors in one cycle. Kinds:
// - whole: a collector accepts a number of operand words.
// - sliced (Radaideh 2021, IV-B4): each of its four slices accepts this number of words, from the sub-bank
//   with the slice's number.
// - widths (a limit): slices accept bytes of any sub-bank, so that only widths count.
// - sides (a limit): two words of rows with different alignment go together.

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
  /// Starts a new cycle, with all ports free. `limit`: words that a collector or slice accepts.
  void begin(Kind kind, int limit);
  /// Occupies the ports of a read. Returns false and occupies none if the ports have not enough room.
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
  /// Words at the four slices of a collector, 16 bits for each. For whole only slice 0 counts, for sides
  /// slices 0 and 1.
  using Slices = std::uint64_t;
  /// Words that a read adds at the four slices, indexed by the read's sub-banks (bits 0 to 3) and its
  /// alignment (bit 4).
  using Table = std::array<Slices, 32>;
  static Table table_of(Kind kind);
  Slices slices_of(const WaitingAccess& read) const {
    return table_[(read.sub_banks & 15u) | (read.left ? 16u : 0u)];
  }
  /// True if no slice is above the limit.
  bool fits(Slices taken) const { return (((limit_ | kTops) - taken) & kTops) == kTops; }

  static constexpr Slices kEach = 0x0001'0001'0001'0001u, kTops = kEach << 15;

  std::vector<Slices> taken_;  ///< by collector
  GrowingArray<std::uint16_t> touched_;
  Kind kind_ = Kind::whole;
  Table table_ = table_of(Kind::whole);
  Slices limit_ = kEach;
};

}  // namespace heddle
