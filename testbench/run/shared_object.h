#pragma once

// What a shared object says of itself, read from its file: nothing of it runs.

#include <string>
#include <vector>

namespace heddle::run {

/// The interfaces that its parts were compiled with (models/core/interfaces.h), of each translation unit. Throws Error
/// (`where`) if the file is no shared object of this kind of machine, or is cut short.
std::vector<std::string> interfaces_of(const std::string& path, const std::string& where);

}  // namespace heddle::run
