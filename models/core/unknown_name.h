#pragma once

// Error for unknown names: lists the known names and suggests the most similar one.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.h"

namespace heddle {

/// Returns the edit distance: number of letters to insert, remove or replace and of neighbouring letters to
/// swap, to turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the known name that is most similar to `name`, as a whole or in one of its words ("schedulers" for
/// "warp scheduler policy"). Empty if none is similar.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// Returns the text `, did you mean "NEAREST"?`, or an empty text.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// Returns the error `WHERE: unknown WHAT "NAME", did you mean "NEAREST"? (allowed: KNOWN)`. `also`: what is
/// allowed in addition to the known names ("or a file").
Error unknown_name(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known, const std::string& also = {});

}  // namespace heddle
