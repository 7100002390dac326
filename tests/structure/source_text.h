#pragma once

// Finds classes and functions in the text of a C++ source file. The source must compile, and no macro may
// hide a brace.

#include <string>
#include <vector>

namespace heddle {

struct SourceMember {
  std::string name, type;
  /// Class of the member's object, also if the member is a std::optional or std::unique_ptr.
  std::string object;
};

/// A function with a body.
struct SourceFunction {
  std::string of;  ///< qualified class; empty: a free function
  std::string name;
  std::string result;            ///< text before the name
  std::string parameters, body;  ///< the body includes the initializer list of a constructor
  int lines = 0;                 ///< lines with code
};

struct SourceClass {
  std::string name;    ///< "Outer::Inner"
  int functions = 0;   ///< number of declared functions, except defaulted and deleted ones
  bool hides = false;  ///< true if the class has a private or protected part
  std::vector<SourceMember> members{};
  std::vector<std::string> bases{};
  std::vector<std::string> friends{}, friend_functions{};
  std::vector<std::string> declared{};  ///< names of its functions
  std::string interface {};             ///< declarations of its virtual functions
};

struct SourceText {
  std::vector<SourceClass> classes;  ///< nested classes before their outer ones; no classes within functions
  std::vector<SourceFunction> functions;
};

SourceText read_source(const std::string& source);

/// Returns the arguments of a list "(a, f(b, c))" that begins at `open`. `end` receives the position after
/// its closing bracket.
std::vector<std::string> arguments_at(const std::string& text, std::size_t open, std::size_t* end = nullptr);

}  // namespace heddle
