#pragma once

// All parameters of a run by path, including the parameters of exchangeable parts (such as schedulers).

#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle::run {

struct ListedParameter {
  std::string path;          ///< path for --set: "gpu.sm.register_file.stages[register-cache].entries"
  std::string family, part;  ///< family and implementation with this parameter; empty if none has it
  FieldInfo field;
};

/// Returns all parameters in the order of fields(). After a parameter that chooses a part (such as a
/// scheduler), the parameters of the part follow.
std::vector<ListedParameter> list_parameters();

}  // namespace heddle::run
