#pragma once

// Address ranges for the variables of a program's modules.

#include <cstdint>

namespace heddle::ptx {

inline constexpr std::uint64_t kDefaultHeapBytes = 8 << 20;  ///< CUDA's default of cudaLimitMallocHeapSize
inline constexpr std::uint64_t kLeastHeapBytes = 4096;

/// Next free addresses for variables. 0 stands for the start of the range (models/isa/address_size.h).
struct VariableSpace {
  std::uint64_t global = 0, constant = 0;
  /// Size of the heap for malloc in kernels; at most most_heap_bytes()
  std::uint64_t heap_bytes = kDefaultHeapBytes;
};

}  // namespace heddle::ptx
