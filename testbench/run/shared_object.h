#pragma once

// Reads a shared object's own description from its file, without running its code.

#include <string>
#include <vector>

namespace heddle::run {

/// Interfaces that its parts were compiled with (models/core/interfaces.h), for each translation unit. Throws
/// Error (`where`) for a file that is no shared object of this machine type, or is truncated.
std::vector<std::string> interfaces_of(const std::string& path, const std::string& where);

}  // namespace heddle::run
