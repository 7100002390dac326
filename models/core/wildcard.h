#pragma once

// The one rule of patterns of names: counters, signals, variants, kernels, published figures.

#include <string_view>

namespace heddle {

/// Whether a name fits a pattern. `*` stands for any characters of one part of a name, that is none of its
/// dots; `**` for any characters; `?` for one that is not a dot; `[a-c]` for one of a set, `[!a-c]` for one
/// that is not in it.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace heddle
