#pragma once

// How many passes a warp's shared-memory access takes. A bank serves one word a pass; lanes that want the
// same word share it (broadcast). Accesses wider than a bank's word go by half or quarter warps (32 banks of
// 4 bytes: 64 bits in two groups of 16 lanes, 128 bits in four groups of 8), as CUDA's documentation
// describes compute capability 2.x.

#include <array>
#include <cstdint>

#include "models/memory/address_patterns.h"

namespace heddle {

struct BankUse {
  unsigned passes = 0;  ///< cycles that the banks are busy, at least 1
  unsigned words = 0;   ///< bank accesses
};

class BankConflicts {
 public:
  BankConflicts(int banks, int bank_width_bytes);

  /// Addresses that one AddressPatterns has made, the same for all calls.
  BankUse access(const WarpAddresses& addresses, LaneMask lanes);
  /// Read-modify-writes: no broadcast, every lane takes its bank for a pass.
  BankUse atomic(const WarpAddresses& addresses, LaneMask lanes) const;

 private:
  unsigned bank_of(std::uint32_t word) const { return power_of_two_ ? word & (banks_ - 1) : word % banks_; }
  std::uint32_t conflict_free(const WarpAddresses& addresses, LaneMask lanes) const;
  BankUse group(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;
  BankUse all_groups(const WarpAddresses& addresses, LaneMask lanes, bool broadcast) const;

  /// Whole words added to all addresses turn the banks around and change nothing else: what a pattern of addresses cost
  /// once, it costs again. By its number modulo AddressPatterns::kMost.
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
