#pragma once

// How large classes are, with the parts that were moved out of them.
//
// Lines of a class: the code lines of its functions, of its nested classes' functions, and of those outside that work on
// its private state:
//  - free functions that take one of its one-off structs;
//  - free functions and static functions that its functions hand two or more of its members, and nobody else calls;
//  - friends: functions, and classes of the same header;
//  - classes that hold a reference or pointer to a one-off struct of more than kFewMembers members;
//  - a base class from which no other class derives.
// Members of a class: those of each object, with the members of its one-off structs and of such a base.
//
// A one-off struct hides nothing and is the type of one member of one class, and of nothing else: a group of that class's
// members. Structs that describe parameters (fields()), arguments of virtual functions and constant members are none.

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
  std::vector<std::string> counted_in;  ///< what stands outside, "name: lines"
};

/// All classes of the sources, nested ones too.
std::vector<ClassSize> class_sizes(const std::vector<NamedSource>& sources);

}  // namespace heddle
