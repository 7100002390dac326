#pragma once

// Reads a shared object's own description from its file, without running its code.

#include <string>
#include <vector>

namespace heddle::run {

/// Returns the interfaces with which the object's parts were compiled (models/core/interfaces.h), one for
/// each translation unit. Throws Error (`where`) for a file that is no shared object of this machine type, or
/// is truncated.
std::vector<std::string> interfaces_of(const std::string& path, const std::string& where);

}  // namespace heddle::run
