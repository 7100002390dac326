#pragma once

// Counts what classes consist of, in the text of a source file.

#include <string>
#include <vector>

namespace heddle {

struct ClassCount {
  std::string name;
  int functions =
      0;  ///< declared in the class, bodies elsewhere or not; but for those that are defaulted or deleted
  int members = 0;  ///< of each object
};

/// All classes and structs that the source defines, those in other classes too, but not those in functions. For sources
/// that compile, without macros that hide a brace.
std::vector<ClassCount> count_classes(const std::string& source);

}  // namespace heddle
