#pragma once

// The JSON Schema of a file format, made from the forms of its objects (models/core/object_form.h).

#include <string>

namespace heddle::cli {

/// `format`: a format whose readers use forms.
std::string format_schema(const std::string& format);

}  // namespace heddle::cli
