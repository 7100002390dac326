#pragma once

// Names and texts of CUDA's errors. cudaGetErrorName and cudaGetErrorString return them.

namespace heddle::cudart {

const char* error_name(int code);
const char* error_text(int code);
const char* driver_error_name(int code);

}  // namespace heddle::cudart
