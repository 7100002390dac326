#pragma once

// Computes the number of passes of a warp's access to shared memory. In each pass, a bank serves one word.
// Lanes that access the same word of a bank share this word (broadcast). If each lane accesses more than one
// bank word (the bytes that a bank delivers per cycle), the half or quarter warps access the banks one after
// the other (CUDA documents this for compute capability 2.x).

#include <array>
#include <cstdint>

#include "models/memory/address_patterns.h"

namespace heddle {

struct BankUse {
  /// number of passes, in each of which the banks are busy for one cycle; at least 1
  unsigned passes = 0;
  unsigned words = 0;
};

class BankConflicts {
 public:
  BankConflicts(int banks, int bank_width_bytes);

  /// Returns the numbers of passes and bank words of a read or write. All calls must use addresses from one
  /// AddressPatterns object. This object numbers the patterns of addresses, and results are cached by these
  /// numbers.
  BankUse access(const WarpAddresses& addresses, LaneMask lanes);
  /// Returns the numbers of passes and bank words of an atomic operation. The lanes of an atomic operation
  /// cannot share a word, so each lane occupies its bank for one pass.
  BankUse atomic(const WarpAddresses& addresses, LaneMask lanes) const;

 private:
  unsigned bank_of(std::uint32_t word) const { return power_of_two_ ? word & (banks_ - 1) : word % banks_; }
  std::uint32_t conflict_free(const WarpAddresses& addresses, LaneMask lanes) const;
  BankUse group(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;
  BankUse all_groups(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;

  /// Cached numbers of passes and words for a pattern of addresses, a set of lanes, and the position of the
  /// first address within its bank word.
  struct Remembered {
    std::uint64_t pattern = 0;
    LaneMask lanes = 0;
    unsigned within_word = 0;
    BankUse use;
  };
  std::array<Remembered, AddressPatterns::kMost> remembered_;

  unsigned banks_;
  unsigned width_, width_bits_;
  bool power_of_two_;
};

}  // namespace heddle
