#pragma once

// The only refusal of unknown names: the error lists the known names and suggests the most similar one.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.h"

namespace heddle {

/// Letters that have to be inserted, removed or replaced, and neighbours that have to change places, to make one text of
/// the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name that looks most like `name`, as a whole or by one of its words ("schedulers" for "warp scheduler
/// policy"); empty if none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// `, did you mean "NEAREST"?`, or nothing.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& known);

/// `WHERE: unknown WHAT "NAME", did you mean "NEAREST"? (allowed: KNOWN)`. `also`: what is allowed beside the known
/// names ("or a file").
Error unknown_name(const std::string& where, const std::string& what, const std::string& name,
                   const std::vector<std::string>& known, const std::string& also = {});

}  // namespace heddle
