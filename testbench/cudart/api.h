#pragma once

// How a file of this folder defines what programs call.

#include "testbench/cudart/runtime.h"

#define HEDDLE_CUDA extern "C" __attribute__((visibility("default")))

/// The same call under its name for programs whose default stream is one of the thread's own; here streams run one
/// after another, so that it is the same call.
#define HEDDLE_CUDA_TWIN(name, suffix) \
  HEDDLE_CUDA decltype(name) name##_##suffix __attribute__((alias(#name)));

namespace heddle::cudart {

/// A side of a copy that is a CUDA array: as pitched memory, its position in bytes; `texel` is set to its texels' size.
void become_pitched(Runtime& r, void* array, PitchedPointer& side, Position& position, std::size_t& texel);

}  // namespace heddle::cudart
