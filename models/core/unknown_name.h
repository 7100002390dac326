#pragma once

// Error for an unknown name in the user's input. The error text lists the known names and suggests the most
// similar one.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.h"

namespace heddle {

/// Returns the number of changes that turn one text into the other. A change inserts, removes or replaces a
/// letter, or swaps two neighbouring letters.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the known name that is most similar to `name`, or has a word similar to `name` ("schedulers" for
/// "warp scheduler policy"). Empty if no known name is similar.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// Returns the text `, did you mean "NEAREST"?`, or an empty text if no known name is similar.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// Returns the error `WHERE: unknown WHAT "NAME", did you mean "NEAREST"? (allowed: KNOWN)`. `also`: text
/// that is appended to the known names, such as "or a file".
Error unknown_name(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known, const std::string& also = {});

}  // namespace heddle
