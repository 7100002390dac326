#pragma once

// All parameters of a run by their paths, those of families' parts included.

#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle::run {

struct ListedParameter {
  std::string path;          ///< as --set takes it: "gpu.sm.register_file.stages[register-cache].entries"
  std::string family, part;  ///< empty for a parameter of no part
  FieldInfo field;
};

/// Returns the parameters in the order of fields(); those of a part follow the parameter that chooses the part.
std::vector<ListedParameter> list_parameters();

}  // namespace heddle::run
