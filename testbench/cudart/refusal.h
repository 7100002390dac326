#pragma once

// Calls that CUDA refuses, and addresses as pointers.

#include <cstdint>
#include <string>
#include <utility>

#include "testbench/cudart/cuda_abi.h"

namespace heddle::cudart {

/// A call that CUDA refuses. `text`: what Heddle says of it; empty where programs ask to learn just that.
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
