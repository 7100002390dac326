#pragma once

// Makes the JSON Schema of a file format from the declarations of its objects' keys
// (models/core/object_form.h).

#include <string>

namespace heddle::cli {

std::string format_schema(const std::string& format);

}  // namespace heddle::cli
