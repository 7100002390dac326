#pragma once

// Measures the size of classes. Code that was moved out of a class but still works on its private state
// counts as a part of the class.
//
// The lines of a class are the code lines of its functions and of its nested classes' functions. Code lines
// of the following functions outside of the class count as well:
//   - free functions that take one of its one-off structs (defined below);
//   - free and static functions to which its functions pass two or more of its members, and which no other
//     class calls;
//   - friends: functions, and classes of the same header;
//   - classes that hold a reference or pointer to a one-off struct of more than kFewMembers members;
//   - a base class from which no other class derives.
//
// The members of a class are the data members of each object, together with the members of its one-off
// structs and of such a base class.
//
// A one-off struct has no private part, and its only use is as the type of one member of one class. It
// therefore only groups members. Structs that describe parameters (fields()), arguments of virtual functions
// and constant members are not one-off structs.

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
  /// functions outside of the class that count as its parts, as "name: lines"
  std::vector<std::string> counted_in;
};

/// Returns all classes of the source files, including nested ones.
std::vector<ClassSize> class_sizes(const std::vector<NamedSource>& sources);

}  // namespace heddle
