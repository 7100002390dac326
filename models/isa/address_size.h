#pragma once

// Address ranges of module variables, heap and buffers for a pointer width (`.address_size` 32 or 64).

#include <cstdint>

#include "models/isa/address_map.h"

namespace heddle::isa {

struct AddressLayout {
  std::uint64_t module_globals;
  std::uint64_t heap;     ///< Start of the heap for malloc in kernels, and end of the module variables.
  std::uint64_t buffers;  ///< Start of the launch file's buffers, and end of the heap.
  std::uint64_t end;      ///< End of the launch file's buffers: one past the last address.
  std::uint64_t
      guard;  ///< Unallocated bytes between two buffers, in addition to kAllocationGap (address_map.h).
  /// Start of a second address range that may hold buffers of the launch file. This range ends at
  /// module_globals.
  std::uint64_t low_buffers;

  /// Returns the end (one past the last address) of the address range that may hold a buffer which begins at
  /// `base`; 0 if no buffer may begin there.
  constexpr std::uint64_t end_from(std::uint64_t base) const {
    if (base >= low_buffers && base < module_globals) return module_globals;
    return base >= buffers && base < end ? end : 0;
  }
};

inline constexpr int kWideAddressBits = 64;
inline constexpr int kNarrowAddressBits = 32;

constexpr AddressLayout address_layout(int address_bits) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  if (address_bits == kNarrowAddressBits)
    return {0x1000'0000, 0x1800'0000, 0x2000'0000, 0x1'0000'0000, kMiB, 0x1000'0000};
  return {kModuleGlobals, kDeviceHeap, kBuffers, kLocalBacking, 0, 0x1000'0000};
}

/// Returns the size in bytes of the largest possible malloc heap of a program with pointers of `address_bits`
/// bits.
constexpr std::uint64_t most_heap_bytes(int address_bits) {
  const AddressLayout layout = address_layout(address_bits);
  return layout.buffers - layout.heap - kAllocationGap;
}

}  // namespace heddle::isa
