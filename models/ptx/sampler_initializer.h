#pragma once

// Initial contents of the headers of texture, sampler and surface variables.

#include <cstdint>
#include <vector>

#include "models/ptx/module_data.h"

namespace heddle::ptx {

/// Returns the header that a variable has until the host binds an object to the variable. A sampler's header
/// has the values of its initialiser, such as `{ addr_mode_0 = wrap, filter_mode = linear }`. Throws Error for
/// an initialiser of a texture or surface.
std::vector<std::uint8_t> initial_header(const ModuleData& module, const Variable& variable);

}  // namespace heddle::ptx
