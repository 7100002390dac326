#pragma once

// Reservations of the read ports of register banks. For each bank and each of the next cycles, holds the number
// of reserved reads.

#include <algorithm>
#include <array>
#include <vector>

#include "models/core/ids.h"

namespace heddle {

class WindowSlots {
 public:
  /// `ports`: read ports of a bank; 0: unlimited.
  WindowSlots(std::size_t banks, int ports) : banks_(banks), ports_(ports) {}

  bool is_free(std::size_t bank, Cycle cycle) const {
    const Slot& slot = banks_[bank][cycle % kCycles];
    return ports_ == 0 || slot.cycle != cycle || slot.reads < ports_;
  }
  /// Returns the least number of cycles that a bank needs for `reads` reads.
  Cycle cycles_for(int reads) const {
    return ports_ == 0 ? 1 : static_cast<Cycle>((reads + ports_ - 1) / ports_);
  }
  void take(std::size_t bank, Cycle cycle) {
    Slot& slot = banks_[bank][cycle % kCycles];
    if (slot.cycle != cycle) slot = {cycle, 0};
    ++slot.reads;
  }
  /// Reserves a port of a bank in the first of the cycles `first` to `last` in which a port is free. Returns
  /// the cycle of the reservation, or kNever if no port is free.
  Cycle take_first(std::size_t bank, Cycle first, Cycle last) {
    for (Cycle cycle = first; cycle <= last; ++cycle)
      if (is_free(bank, cycle)) {
        take(bank, cycle);
        return cycle;
      }
    return kNever;
  }
  /// Returns the number of reads that a bank can still serve in the cycles `first` to `last`, but at most
  /// `most`.
  int free_in(std::size_t bank, Cycle first, Cycle last, int most) const {
    if (ports_ == 0) return most;
    int free = 0;
    for (Cycle cycle = first; cycle <= last && free < most; ++cycle) {
      const Slot& slot = banks_[bank][cycle % kCycles];
      free += ports_ - (slot.cycle == cycle ? slot.reads : 0);
    }
    return std::min(free, most);
  }

 private:
  struct Slot {
    Cycle cycle = kNever;
    int reads = 0;
  };
  /// A read is reserved less than this number of cycles in advance.
  static constexpr std::size_t kCycles = 64;
  std::vector<std::array<Slot, kCycles>> banks_;
  int ports_;
};

}  // namespace heddle
