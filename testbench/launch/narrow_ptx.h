#pragma once

// PTX with 32-bit addresses, in the folder of the 64-bit PTX: kernel32.ptx next to kernel.ptx.

#include <string>

namespace heddle::launch {

/// Returns the 32-bit file for `ptx`. In a folder of testbench/kernels, clang makes it from kernel.cu if it
/// is missing or older than its sources. In other folders it must exist. Throws Error if there is none.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
