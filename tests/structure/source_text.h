#pragma once

// Finds classes and functions in the text of a C++ source file. The source must compile, and no macro may
// contain an unmatched brace.

#include <string>
#include <vector>

namespace heddle {

struct SourceMember {
  std::string name, type;
  /// class of the object that the data member holds, also through std::optional or std::unique_ptr
  std::string object;
};

/// A function that has a body.
struct SourceFunction {
  std::string of;  ///< qualified name of its class; empty for a free function
  std::string name;
  std::string result;  ///< text in front of the function's name in its definition
  /// parameter list and body; the body includes a constructor's initializer list
  std::string parameters, body;
  int lines = 0;  ///< number of lines with code in the function
};

struct SourceClass {
  std::string name;    ///< qualified name, for example "Outer::Inner"
  int functions = 0;   ///< number of declared functions, without defaulted and deleted ones
  bool hides = false;  ///< true: the class has a private or protected part
  std::vector<SourceMember> members{};
  std::vector<std::string> bases{};
  std::vector<std::string> friends{}, friend_functions{};
  std::vector<std::string> declared{};  ///< names of the functions that the class declares
  std::string interface {};             ///< text with the declarations of the class's virtual functions
};

struct SourceText {
  /// all classes of the source file, nested ones before their outer class; classes within functions are left
  /// out
  std::vector<SourceClass> classes;
  std::vector<SourceFunction> functions;
};

SourceText read_source(const std::string& source);

/// Returns the arguments of a list such as "(a, f(b, c))" that begins at position `open`. Sets `end` to the
/// position after the closing bracket.
std::vector<std::string> arguments_at(const std::string& text, std::size_t open, std::size_t* end = nullptr);

}  // namespace heddle
