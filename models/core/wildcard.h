#pragma once

// Patterns of names, with the same rules for counters, signals, variants, kernels and published figures.

#include <string_view>

namespace heddle {

/// True if a name matches a pattern. `*` matches any characters except dots, `**` any characters, `?` one
/// character except a dot, `[a-c]` one character of a set, `[!a-c]` one character outside of a set.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace heddle
