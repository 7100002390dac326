#pragma once

// Measures the size of classes. Code outside of a class that works on the class's private state counts as a
// part of the class.
//
// A one-off struct has no private section, and is only used as the type of one member of one class. A struct
// of parameters (with a function fields()) is no one-off struct, nor is a struct that the declaration of a
// virtual function names. Static and constexpr members do not count as members.
//
// The lines of a class are the code lines of its functions and nested classes. The lines of the following
// code outside of the class also count:
//
// - free functions that take one of the class's one-off structs;
// - free and static functions to which functions of the class pass two or more of its members, if no other
//   class calls them;
// - friends: functions, and classes of the same header;
// - classes that hold a reference or pointer to a one-off struct of more than kFewMembers members;
// - a base class from which no other class derives.
//
// Members of a class are its own data members and the data members of its one-off structs. The data members
// of a base class also count if no other class derives from the base class.

#include <string>
#include <vector>

#include "tests/structure/source_text.h"

namespace heddle {

struct NamedSource {
  std::string path;
  SourceText text;
};

struct ClassSize {
  std::string path, name;
  int lines = 0, members = 0;
  /// functions outside of the class that count as part of it, as text "name: lines"
  std::vector<std::string> counted_in;
};

std::vector<ClassSize> class_sizes(const std::vector<NamedSource>& sources);

}  // namespace heddle
