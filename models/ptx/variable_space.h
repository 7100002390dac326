#pragma once

// Address ranges in which the variables of a program's modules are allocated.

#include <cstdint>

namespace heddle::ptx {

/// Default size of the malloc heap in bytes: CUDA's default of cudaLimitMallocHeapSize.
inline constexpr std::uint64_t kDefaultHeapBytes = 8 << 20;
inline constexpr std::uint64_t kLeastHeapBytes = 4096;

/// Next free addresses for global and constant variables; 0: begin of the address range.
struct VariableSpace {
  std::uint64_t global = 0, constant = 0;
  /// Size in bytes of the heap for malloc in kernels; at most most_heap_bytes().
  std::uint64_t heap_bytes = kDefaultHeapBytes;
};

}  // namespace heddle::ptx
