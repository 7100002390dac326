#pragma once

// The driver interface is the runtime interface under other names: what the files of its calls share.

#include "testbench/cudart/api.h"

namespace heddle::cudart {

/// CUresult of a cudaError_t: most numbers are the same.
int driver_code(int code);

/// As Runtime::call, with the driver's numbers.
template <class Body>
int driver_call(const char* name, Body body) {
  return driver_code(Runtime::instance().call(name, body));
}

}  // namespace heddle::cudart
