#pragma once

// "mutant-cache": a register cache that deliberately breaks one of its rules. The cache records the values
// that are lost because of this fault, or because of a wrong hint of the compiler. It also records whether a
// lost value is read later.

#include <cstdint>

namespace heddle::hierarchy {

struct MutantLog {
  std::uint64_t lost = 0;       ///< number of freed lines whose value exists nowhere else
  std::uint64_t lost_read = 0;  ///< number of reads of lanes that were lost and not written since
};

/// Returns the counts of all mutant caches since the last reset.
MutantLog& mutant_log();

/// Returns the name of the stage. A call makes the linker include the object file, which registers the stage.
const char* mutant_cache();

}  // namespace heddle::hierarchy
