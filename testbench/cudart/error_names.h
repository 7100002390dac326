#pragma once

// Names and texts of CUDA's errors, as cudaGetErrorName and cudaGetErrorString give them.

namespace heddle::cudart {

const char* error_name(int code);
const char* error_text(int code);
/// The driver's name, or nullptr for a code that it does not have.
const char* driver_error_name(int code);

}  // namespace heddle::cudart
