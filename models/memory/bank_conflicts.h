#pragma once

// Number of passes of a warp's shared-memory access. A bank serves one word per pass; lanes that access the
// same word share it (broadcast). Accesses wider than a bank's word are split into half or quarter warps, as
// CUDA documents for compute capability 2.x. With 32 banks of 4 bytes, 64-bit accesses are two groups of 16
// lanes and 128-bit accesses four groups of 8.

#include <array>
#include <cstdint>

#include "models/memory/address_patterns.h"

namespace heddle {

struct BankUse {
  unsigned passes = 0;  ///< cycles for which the banks are busy, at least 1
  unsigned words = 0;   ///< bank accesses
};

class BankConflicts {
 public:
  BankConflicts(int banks, int bank_width_bytes);

  /// All calls must use addresses from the same AddressPatterns object.
  BankUse access(const WarpAddresses& addresses, LaneMask lanes);
  /// Read-modify-writes: no broadcast; each lane occupies its bank for one pass.
  BankUse atomic(const WarpAddresses& addresses, LaneMask lanes) const;

 private:
  unsigned bank_of(std::uint32_t word) const { return power_of_two_ ? word & (banks_ - 1) : word % banks_; }
  std::uint32_t conflict_free(const WarpAddresses& addresses, LaneMask lanes) const;
  BankUse group(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;
  BankUse all_groups(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;

  /// Cached results, at the pattern's number modulo AddressPatterns::kMost. Adding whole words to all
  /// addresses only rotates the banks, so the cost depends on the pattern and the position within a word.
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
