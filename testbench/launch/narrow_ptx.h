#pragma once

// Finds PTX with 32-bit addresses: kernel32.ptx next to kernel.ptx.

#include <string>

namespace heddle::launch {

/// Returns the 32-bit PTX file for the 64-bit file `ptx`. In testbench/kernels, clang compiles the 32-bit
/// file from kernel.cu if the file is missing or outdated. In other folders, the file must exist. Throws
/// Error if there is none.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
