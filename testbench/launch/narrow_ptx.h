#pragma once

// Finds the PTX file with 32-bit addresses that belongs to a PTX file with 64-bit addresses: kernel32.ptx
// next to kernel.ptx.

#include <string>

namespace heddle::launch {

/// Returns the 32-bit PTX file for the 64-bit file `ptx`. In testbench/kernels, a missing or outdated 32-bit
/// file is compiled from kernel.cu by clang. In other folders, the file must exist; otherwise throws Error.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
