#pragma once

// Functions that the files of the driver interface share. The driver interface is the runtime interface under
// other names.

#include "testbench/cudart/api.h"

namespace heddle::cudart {

/// Returns the CUresult of a cudaError_t. Most numbers are equal.
int driver_code(int code);

/// Executes the body of a driver call as Runtime::call does, and returns the driver's error number.
template <class Body>
int driver_call(const char* name, Body body) {
  return driver_code(Runtime::instance().call(name, body));
}

}  // namespace heddle::cudart
