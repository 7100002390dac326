#pragma once

// "mutant-cache": a register cache that deliberately breaks one of its rules. It records the values that this
// fault or a wrong compiler hint loses, and whether a lost value is read later.

#include <cstdint>

namespace heddle::hierarchy {

struct MutantLog {
  std::uint64_t lost = 0;
  std::uint64_t lost_read = 0;
};

MutantLog& mutant_log();

/// A call makes the linker include the object file, which registers the stage.
const char* mutant_cache();

}  // namespace heddle::hierarchy
