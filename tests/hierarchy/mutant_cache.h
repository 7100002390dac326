#pragma once

// "mutant-cache": a register cache that breaks one of its rules. It records values that are lost by this, or
// by a wrong hint of the compiler, and whether a lost value is read later.

#include <cstdint>

namespace heddle::hierarchy {

struct MutantLog {
  std::uint64_t lost = 0;       ///< freed lines whose value no stage below holds
  std::uint64_t lost_read = 0;  ///< reads of lanes that were lost and not written since
};

/// Counts over all mutant caches since the last reset.
MutantLog& mutant_log();

/// A call links the object file, which registers the stage.
const char* mutant_cache();

}  // namespace heddle::hierarchy
