// The version number is the only difference between the libraries for CUDA 11, 12 and 13.

#include "testbench/cudart/version.h"

namespace heddle::cudart {

int runtime_version() { return HEDDLE_CUDART_VERSION; }

}  // namespace heddle::cudart
