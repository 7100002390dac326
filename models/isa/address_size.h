#pragma once

// Address ranges of module variables, heap and buffers, by the width of the program's pointers
// (`.address_size`). The windows of the other state spaces (address_map.h) are below 4 GiB, so they are the
// same for both widths.

#include <cstdint>

#include "models/isa/address_map.h"

namespace heddle::isa {

struct AddressLayout {
  std::uint64_t module_globals;  ///< module-level .global variables
  std::uint64_t heap;            ///< start of the heap for malloc in kernels; module variables end here
  std::uint64_t buffers;         ///< start of the launch file's buffers; the heap ends here
  std::uint64_t end;             ///< one past the last address of a buffer
  std::uint64_t guard;           ///< unmapped bytes between buffers, in addition to kAllocationGap
  std::uint64_t low_buffers;     ///< start of a second range for buffers, which ends at module_globals

  /// Returns one past the last address that buffers may use if the first buffer begins at `base`, or 0 if no
  /// buffer may begin there.
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

/// Returns the largest heap in bytes for programs with pointers of this width.
constexpr std::uint64_t most_heap_bytes(int address_bits) {
  const AddressLayout layout = address_layout(address_bits);
  return layout.buffers - layout.heap - kAllocationGap;
}

}  // namespace heddle::isa
