#pragma once

// The crossbar's write ports of the collectors in one cycle. Whole: a collector takes so many operand words.
// Sliced (002, IV-B4): each of its four slices takes so many, from the sub-banks of its number.

#include <array>
#include <cstdint>
#include <vector>

#include "models/banks/i_bank_arbiter.h"

namespace heddle {

class CollectorPorts {
 public:
  explicit CollectorPorts(int collectors) : taken_(static_cast<std::size_t>(collectors)) {}

  /// Forgets what was taken in an earlier cycle.
  void begin(bool sliced, int limit);
  /// Takes a read's ports; false, and nothing is taken, if they have not enough room.
  bool take(const WaitingAccess& read);
  bool has_room(const WaitingAccess& read) const;

 private:
  std::vector<std::array<int, 4>> taken_;  ///< by collector and slice; whole: slice 0 counts
  std::vector<std::uint16_t> touched_;
  bool sliced_ = false;
  int limit_ = 1;
};

}  // namespace heddle
