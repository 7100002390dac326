#pragma once

// Finds PTX with 32-bit addresses: kernel32.ptx next to kernel.ptx.

#include <string>

namespace heddle::launch {

/// Returns the 32-bit PTX file for the 64-bit file `ptx`. In testbench/kernels, clang compiles it from
/// kernel.cu if it is missing or outdated; elsewhere it must exist. Throws Error if there is none.
std::string narrow_ptx(const std::string& ptx);

}  // namespace heddle::launch
