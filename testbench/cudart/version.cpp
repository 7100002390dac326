// The libraries for CUDA 11, 12 and 13 differ only in the version number that this function returns.

#include "testbench/cudart/version.h"

namespace heddle::cudart {

int runtime_version() { return HEDDLE_CUDART_VERSION; }

}  // namespace heddle::cudart
