#pragma once

// Interprets the suffixes of texture and surface instructions, such as the shape 2d.

#include <string_view>

#include "models/isa/types.h"
#include "models/ptx/instruction_forms.h"

namespace heddle::ptx {

isa::TextureShape texture_shape_of(const FormMatch& match);

}  // namespace heddle::ptx
