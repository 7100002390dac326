#pragma once

// Makes the JSON Schema of a file format from the forms of its objects. A form declares the keys of an object
// (models/core/object_form.h).

#include <string>

namespace heddle::cli {

/// `format`: a format whose reader uses forms.
std::string format_schema(const std::string& format);

}  // namespace heddle::cli
