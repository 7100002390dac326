#pragma once

// Finds classes and functions in a C++ source file, which must compile and have no macro with an unmatched
// brace.

#include <string>
#include <vector>

namespace heddle {

struct SourceMember {
  std::string name, type;
  /// class of the object that the member contains, directly or through std::optional or std::unique_ptr
  std::string object;
};

struct SourceFunction {
  std::string of;
  std::string name;
  std::string result;
  /// parameter list; body, including a constructor's initializer list
  std::string parameters, body;
  int lines = 0;
};

struct SourceClass {
  std::string name;
  int functions = 0;
  bool hides = false;  ///< has a private or protected section
  std::vector<SourceMember> members{};
  std::vector<std::string> bases{};
  std::vector<std::string> friends{}, friend_functions{};
  std::vector<std::string> declared{};
  std::string interface {};  ///< text with the declarations of the class's virtual functions
};

struct SourceText {
  /// nested classes stand before their outer class; classes within functions are left out
  std::vector<SourceClass> classes;
  std::vector<SourceFunction> functions;
};

SourceText read_source(const std::string& source);

/// Returns the arguments of a list such as "(a, f(b, c))" at position `open`. Sets `end` to the position
/// after the closing bracket.
std::vector<std::string> arguments_at(const std::string& text, std::size_t open, std::size_t* end = nullptr);

}  // namespace heddle
