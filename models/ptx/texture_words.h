#pragma once

// Interprets suffixes of texture and surface instructions.

#include <string_view>

#include "models/isa/types.h"
#include "models/ptx/instruction_forms.h"

namespace heddle::ptx {

isa::TextureShape texture_shape_of(const FormMatch& match);

}  // namespace heddle::ptx
