#pragma once

// Errors of CUDA calls, and conversions between addresses and pointers.

#include <cstdint>
#include <string>
#include <utility>

#include "testbench/cudart/cuda_abi.h"

namespace heddle::cudart {

/// An error of a CUDA call. `text`: Heddle's message, empty if programs make the call to test for the error.
struct Refusal {
  int code;
  std::string text;
};

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

[[noreturn]] inline void refuse(int code, std::string text = {}) { throw Refusal{code, std::move(text)}; }

}  // namespace heddle::cudart
