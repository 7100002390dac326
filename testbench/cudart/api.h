#pragma once

// Macros and functions for the files that define the calls of the CUDA runtime.

#include "testbench/cudart/runtime.h"

#define HEDDLE_CUDA extern "C" __attribute__((visibility("default")))

/// Defines the call's second name, for programs whose default stream is per thread. Streams run one after
/// another here, so both names mean the same call.
#define HEDDLE_CUDA_TWIN(name, suffix) \
  HEDDLE_CUDA decltype(name) name##_##suffix __attribute__((alias(#name)));

namespace heddle::cudart {

/// Converts a CUDA array, as one side of a copy, to pitched memory, and its position to bytes. Sets `texel`
/// to the size of its texels in bytes.
void become_pitched(Runtime& r, void* array, PitchedPointer& side, Position& position, std::size_t& texel);

}  // namespace heddle::cudart
