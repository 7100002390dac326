#pragma once

// Where module-level variables and buffers lie, by the width of the program's pointers (`.address_size`). The
// windows of the other state spaces (address_map.h) lie below 4 GiB, so that they are the same for both.

#include <cstdint>

#include "models/isa/address_map.h"

namespace heddle::isa {

struct AddressLayout {
  std::uint64_t module_globals;  ///< module-level .global variables
  std::uint64_t heap;            ///< what malloc in kernels hands out, and the end of the module's variables
  std::uint64_t buffers;         ///< buffers of the launch file, and the end of the heap
  std::uint64_t end;             ///< one past the last address of a buffer
  std::uint64_t guard;           ///< unmapped bytes between buffers, beside kAllocationGap
  std::uint64_t low_buffers;     ///< buffers may also lie from here on, up to the module's variables

  /// One past the last address of buffers of which the first begins at `base`; 0 if none may begin there.
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

/// The largest heap for programs with such pointers.
constexpr std::uint64_t most_heap_bytes(int address_bits) {
  const AddressLayout layout = address_layout(address_bits);
  return layout.buffers - layout.heap - kAllocationGap;
}

}  // namespace heddle::isa
