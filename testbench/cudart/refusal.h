#pragma once

// Errors that CUDA calls return, and conversions between addresses and pointers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "testbench/cudart/cuda_abi.h"

namespace heddle::cudart {

/// The error of a CUDA call. `text`: the message that Heddle prints. The text is empty if programs make the
/// call only to test whether the call returns this error.
struct Refusal {
  int code;
  std::string text;
};

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
inline void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

[[noreturn]] inline void refuse(int code, std::string text = {}) { throw Refusal{code, std::move(text)}; }

/// Returns the object at a pointer that the program has passed. Throws Refusal for a null pointer.
template <class Object>
Object& at(Object* pointer) {
  if (!pointer) refuse(cudaErrorInvalidValue, "a null pointer");
  return *pointer;
}
/// Returns the text at a pointer that the program has passed. Throws Refusal for a null pointer.
inline const char* text_at(const char* text) { return &at(text); }

/// Returns the product. Throws Refusal if it does not fit into 64 bits.
inline std::size_t product(std::size_t a, std::size_t b) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(a, b, &all)) refuse(cudaErrorInvalidValue, "a size beyond all memory");
  return all;
}
inline std::size_t sum(std::size_t a, std::size_t b) {
  std::size_t all = 0;
  if (__builtin_add_overflow(a, b, &all)) refuse(cudaErrorInvalidValue, "a size beyond all memory");
  return all;
}

}  // namespace heddle::cudart
