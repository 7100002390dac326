#pragma once

// Models, for one cycle, the ports through which the crossbar writes into the operand collectors. Kinds:
// - whole: a collector accepts `limit` operand words.
// - sliced (Radaideh 2021, IV-B4): each of four slices accepts `limit` words from the sub-banks of its quarter
//   of a row.
// - widths (limit study): a slice accepts bytes of any sub-bank.
// - sides (limit study): a collector accepts `limit` words from left-aligned rows and `limit` words from
//   right-aligned rows.

#include <array>
#include <cstdint>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/core/growing_array.h"

namespace heddle {

class CollectorPorts {
 public:
  /// `sub_banks`: number of sub-banks of a row: 2, 4 or 8.
  CollectorPorts(int collectors, int sub_banks)
      : taken_(static_cast<std::size_t>(collectors)), sub_banks_(sub_banks) {}

  enum class Kind : std::uint8_t { whole, sliced, widths, sides };
  /// Starts a new cycle. `limit`: words that a collector (or one slice of it) accepts per cycle.
  void begin(Kind kind, int limit);
  /// Occupies the collector's ports for a read. Returns false and changes nothing if the ports are full.
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
  using Slices = std::uint64_t;
  /// For each read, what it occupies of a collector's port: four packed 16-bit counts. Kind whole: one count
  /// of words. sliced: words at each slice. widths: one count of quarter rows. sides: words from
  /// right-aligned and from left-aligned rows. Index: the sub-banks of the read (bits 0 to 7) and its
  /// alignment (bit 8; 1: left).
  using Table = std::array<Slices, 512>;
  Table table_of(Kind kind) const;
  Slices slices_of(const WaitingAccess& read) const {
    return table_[read.sub_banks | (read.left ? 256u : 0u)];
  }
  bool fits(Slices taken) const { return (((limit_ | kTops) - taken) & kTops) == kTops; }

  static constexpr Slices kEach = 0x0001'0001'0001'0001u, kTops = kEach << 15;

  std::vector<Slices> taken_;
  GrowingArray<std::uint16_t> touched_;
  int sub_banks_;
  Kind kind_ = Kind::whole;
  Table table_ = table_of(Kind::whole);
  Slices limit_ = kEach;
};

}  // namespace heddle
