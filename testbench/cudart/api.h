#pragma once

// Macros and functions for the files that define the calls of the CUDA runtime.

#include "testbench/cudart/runtime.h"

#define HEDDLE_CUDA extern "C" __attribute__((visibility("default")))

/// Defines a second name of a call, for programs compiled with a default stream per thread. Both names do the
/// same, because Heddle runs all streams one after another.
#define HEDDLE_CUDA_TWIN(name, suffix) \
  HEDDLE_CUDA decltype(name) name##_##suffix __attribute__((alias(#name)));

namespace heddle::cudart {

/// Prepares a copy from or to a CUDA array. Sets `side` to the pitched memory of the array, converts
/// `position` from texels to bytes, and sets `texel` to the size of a texel in bytes.
void become_pitched(Runtime& r, void* array, PitchedPointer& side, Position& position, std::size_t& texel);

}  // namespace heddle::cudart
