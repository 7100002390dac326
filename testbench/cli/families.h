#pragma once

// All families of interchangeable parts, from their registries.

#include <string>
#include <vector>

#include "models/core/fields.h"

namespace heddle::cli {

struct Part {
  std::string name, doc;
  std::vector<FieldInfo> parameters;
};

struct Family {
  std::string name;   ///< "warp scheduler policy"
  std::string place;  ///< key of the configuration: "gpu.sm.scheduler"
  std::vector<Part> parts;
};

std::vector<Family> all_families();

}  // namespace heddle::cli
