#pragma once

// "mutant-cache": a register-cache that breaks one of its rules, and knows whether a value that was lost by
// this (or by a wrong hint of the compiler) was read later.

#include <cstdint>

namespace heddle::hierarchy {

struct MutantLog {
  std::uint64_t lost = 0;       ///< lines given up whose value the stages below do not have
  std::uint64_t lost_read = 0;  ///< reads of lanes lost before and not written since
};

/// Count over all mutant caches since the last reset.
MutantLog& mutant_log();

/// Keeps the object file, and with it the registration, in the program.
const char* mutant_cache();

}  // namespace heddle::hierarchy
