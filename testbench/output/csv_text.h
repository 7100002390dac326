#pragma once

// Fields of CSV files.

#include <string>

namespace heddle::output {

/// In quotes where it has to be.
inline std::string csv_field(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

}  // namespace heddle::output
