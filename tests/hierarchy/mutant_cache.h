#pragma once

// "mutant-cache": a register cache that deliberately breaks one of its rules. It records which values are
// lost because of this fault or of a wrong compiler hint, and which lost values are read later.

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
