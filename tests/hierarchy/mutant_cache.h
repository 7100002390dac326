#pragma once

// "mutant-cache": a register cache that deliberately breaks one of its rules. The cache records which values
// are lost because of this fault or because of a wrong compiler hint. It also records which lost values are
// read later.

#include <cstdint>

namespace heddle::hierarchy {

struct MutantLog {
  std::uint64_t lost = 0;
  std::uint64_t lost_read = 0;
};

MutantLog& mutant_log();

/// Call this function so that the linker includes the object file, which registers the stage.
const char* mutant_cache();

}  // namespace heddle::hierarchy
