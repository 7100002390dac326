#pragma once

// Programs with addresses of 32 bits, which stand beside those of 64: kernel32.ptx beside kernel.ptx.

#include <string>

namespace heddle::launch {

/// The file of this kind beside `ptx`. In a folder of testbench/kernels clang makes it from kernel.cu, where it is missing or
/// older than its sources; elsewhere it must be there. Throws Error if there is none.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
