#pragma once

// Finds PTX with 32-bit addresses next to the 64-bit PTX of a kernel: kernel32.ptx next to kernel.ptx.

#include <string>

namespace heddle::launch {

/// Returns the 32-bit PTX file for the 64-bit file `ptx`. In a folder of testbench/kernels, clang compiles it
/// from kernel.cu if it is missing or older than its sources. In other folders it must exist. Throws Error if
/// there is none.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
