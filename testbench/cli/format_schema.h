#pragma once

// Makes the JSON Schema of a file format. The schema is made from the declarations of the keys that the
// format's objects may have (models/core/object_form.h).

#include <string>

namespace heddle::cli {

std::string format_schema(const std::string& format);

}  // namespace heddle::cli
