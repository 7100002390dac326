#pragma once

// Reads from the file of a shared object how the object was compiled, without running its code.

#include <string>
#include <vector>

namespace heddle::run {

/// Returns the interfaces with which the object was compiled (models/core/interfaces.h), one for each
/// translation unit. Throws Error, which names `where`, if the file is truncated or is no shared object for
/// this type of machine.
std::vector<std::string> interfaces_of(const std::string& path, const std::string& where);

}  // namespace heddle::run
