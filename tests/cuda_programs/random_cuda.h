#pragma once

// Writes random CUDA programs that are also plain C++: arithmetic, control flow by thread, arrays, shared
// memory, warp exchanges, atomics, templates, recursion, calls through pointers and virtual calls.

#include <cstdint>
#include <string>

namespace heddle::test {

/// Returns a source text with `count` programs, one for each seed from `first_seed` on. The source text
/// includes random_programs.h.
std::string random_cuda(std::uint64_t first_seed, int count);

}  // namespace heddle::test
