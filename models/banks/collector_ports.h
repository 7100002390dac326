#pragma once

// Models the write ports of the crossbar at the operand collectors during one cycle. The kinds of ports are:
// - whole: a collector accepts a number of operand words.
// - sliced (Radaideh 2021, IV-B4): a collector has four slices, one for each sub-bank number. Each slice
//   accepts this number of words from the sub-banks with its number.
// - widths (a limit study): a slice accepts bytes of any sub-bank, so that only the widths of the words
//   count.
// - sides (a limit study): a collector accepts words from left-aligned rows and from right-aligned rows
//   separately, each up to this number.

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
  /// Starts a new cycle in which all ports are free. `limit`: words that a collector (or one slice) accepts
  /// per cycle.
  void begin(Kind kind, int limit);
  /// Occupies the collector's ports for a read. Returns false and occupies nothing if the ports have no room.
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
  /// Numbers of words at the four slices of one collector, 16 bits for each slice. The kind `whole` uses only
  /// slice 0, and the kind `sides` uses slices 0 and 1.
  using Slices = std::uint64_t;
  /// Words that one read adds at the four slices, indexed by the read's sub-banks (bits 0 to 3) and its
  /// alignment (bit 4).
  using Table = std::array<Slices, 32>;
  static Table table_of(Kind kind);
  Slices slices_of(const WaitingAccess& read) const {
    return table_[(read.sub_banks & 15u) | (read.left ? 16u : 0u)];
  }
  /// Returns true if no slice has more words than the limit.
  bool fits(Slices taken) const { return (((limit_ | kTops) - taken) & kTops) == kTops; }

  static constexpr Slices kEach = 0x0001'0001'0001'0001u, kTops = kEach << 15;

  std::vector<Slices> taken_;  ///< words that each collector has accepted in this cycle
  GrowingArray<std::uint16_t> touched_;
  Kind kind_ = Kind::whole;
  Table table_ = table_of(Kind::whole);
  Slices limit_ = kEach;
};

}  // namespace heddle
