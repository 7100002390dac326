#pragma once

// Matches names of counters, signals, variants, kernels and published figures with patterns.

#include <string_view>

namespace heddle {

/// Returns true if a name matches a pattern. `*` matches any characters except dots. `**` matches any
/// characters. `?` matches one character except a dot. `[a-c]` matches one character of a set, `[!a-c]` one
/// character outside of the set.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace heddle
