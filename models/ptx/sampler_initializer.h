#pragma once

// Returns the initial content of the header of a texture, sampler or surface variable, before the host binds
// it.

#include <cstdint>
#include <vector>

#include "models/ptx/module_data.h"

namespace heddle::ptx {

/// The header of a sampler has the values of its initialiser, such as `{ addr_mode_0 = wrap, filter_mode =
/// linear }`. Headers of textures and surfaces are unbound. Throws Error if a texture or surface has an
/// initialiser.
std::vector<std::uint8_t> initial_header(const ModuleData& module, const Variable& variable);

}  // namespace heddle::ptx
