#pragma once

// Reads a shared object's own description from its file, without running its code.

#include <string>
#include <vector>

namespace heddle::run {

/// Returns the interfaces with which the object was compiled (models/core/interfaces.h), one for each
/// translation unit. Throws Error (`where`) for a file that is truncated or no shared object of this machine
/// type.
std::vector<std::string> interfaces_of(const std::string& path, const std::string& where);

}  // namespace heddle::run
