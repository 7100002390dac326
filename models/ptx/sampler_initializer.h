#pragma once

// Initial header of a module's texture, sampler or surface, before the host binds it.

#include <cstdint>
#include <vector>

#include "models/ptx/module_data.h"

namespace heddle::ptx {

/// For a sampler the values of its initialiser (`{ addr_mode_0 = wrap, filter_mode = linear }`), otherwise an
/// unbound header. Throws Error for an initialiser of anything else.
std::vector<std::uint8_t> initial_header(const ModuleData& module, const Variable& variable);

}  // namespace heddle::ptx
