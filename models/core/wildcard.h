#pragma once

// The one rule of patterns of names: counters, signals, variants, kernels, published figures.

#include <string_view>

namespace heddle {

/// True if a name matches a pattern. `*` matches any characters but dots, `**` any characters, `?` one
/// character but a dot, `[a-c]` one of a set, `[!a-c]` one outside of the set.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace heddle
