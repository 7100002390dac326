#pragma once

// Names and texts of CUDA's errors, as cudaGetErrorName and cudaGetErrorString return them.

namespace heddle::cudart {

const char* error_name(int code);
const char* error_text(int code);
/// Returns the error's name in the driver interface; nullptr if this interface has no such error.
const char* driver_error_name(int code);

}  // namespace heddle::cudart
