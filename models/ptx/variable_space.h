#pragma once

// Where the variables of a program's modules lie.

#include <cstdint>

namespace heddle::ptx {

inline constexpr std::uint64_t kDefaultHeapBytes = 8 << 20;  ///< CUDA's default of cudaLimitMallocHeapSize
inline constexpr std::uint64_t kLeastHeapBytes = 4096;

/// Where the next variables of a program go; 0: where those of its first module do (models/isa/address_size.h).
struct VariableSpace {
  std::uint64_t global = 0, constant = 0;
  std::uint64_t heap_bytes = kDefaultHeapBytes;  ///< for malloc in kernels; up to most_heap_bytes()
};

}  // namespace heddle::ptx
