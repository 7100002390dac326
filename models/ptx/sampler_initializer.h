#pragma once

// What the header of a texture, sampler or surface of a module holds before the host binds it.

#include <cstdint>
#include <vector>

#include "models/ptx/module_data.h"

namespace heddle::ptx {

/// Of a sampler what its initialiser says (`{ addr_mode_0 = wrap, filter_mode = linear }`), else nothing bound. Throws Error
/// for an initialiser of anything else.
std::vector<std::uint8_t> initial_header(const ModuleData& module, const Variable& variable);

}  // namespace heddle::ptx
