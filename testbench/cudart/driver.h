#pragma once

// Functions that all implementations of CUDA driver calls (cu...) use. A driver call is implemented by calls
// of the CUDA runtime interface (cuda...).

#include "testbench/cudart/api.h"

namespace heddle::cudart {

/// Converts a cudaError_t to a CUresult. Most errors have the same number in both.
int driver_code(int code);

template <class Body>
int driver_call(const char* name, Body body) {
  return driver_code(Runtime::instance().call(name, body));
}

}  // namespace heddle::cudart
