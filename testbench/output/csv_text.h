#pragma once

// Writes fields of CSV files.

#include <string>

namespace heddle::output {

inline void append_csv_field(std::string& out, std::string_view field) {
  const auto has = [&field](char c) { return field.find(c) != std::string::npos; };
  if (!has(',') && !has('"') && !has('\n')) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

inline std::string csv_field(const std::string& field) {
  std::string out;
  append_csv_field(out, field);
  return out;
}

}  // namespace heddle::output
