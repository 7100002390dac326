#pragma once

// Shared functions of the CUDA driver interface, which is implemented by the runtime interface.

#include "testbench/cudart/api.h"

namespace heddle::cudart {

/// Converts a cudaError_t to a CUresult. Most numbers are equal.
int driver_code(int code);

template <class Body>
int driver_call(const char* name, Body body) {
  return driver_code(Runtime::instance().call(name, body));
}

}  // namespace heddle::cudart
