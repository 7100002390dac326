#pragma once

// All parameters of a run by path, including those of families' implementations.

#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle::run {

struct ListedParameter {
  std::string path;          ///< as --set takes it: "gpu.sm.register_file.stages[register-cache].entries"
  std::string family, part;  ///< empty for a parameter of no implementation
  FieldInfo field;
};

/// In the order of fields(); an implementation's parameters follow the parameter that chooses it.
std::vector<ListedParameter> list_parameters();

}  // namespace heddle::run
