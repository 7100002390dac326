#pragma once

// Classes and functions in the text of a C++ source file. For sources that compile, without macros that hide a brace.

#include <string>
#include <vector>

namespace heddle {

struct SourceMember {
  std::string name, type;
  /// The class of the object that is the member, or that it points to as an std::optional or std::unique_ptr.
  std::string object;
};

/// A function with a body.
struct SourceFunction {
  std::string of;  ///< qualified class; empty: a free function
  std::string name;
  std::string result;            ///< what stands before the name
  std::string parameters, body;  ///< body: with the list of a constructor
  int lines = 0;                 ///< that hold code
};

struct SourceClass {
  std::string name;    ///< "Outer::Inner"
  int functions = 0;   ///< declared, bodies elsewhere or not, except defaulted and deleted ones
  bool hides = false;  ///< has a private or protected part
  std::vector<SourceMember> members{};
  std::vector<std::string> bases{};
  std::vector<std::string> friends{}, friend_functions{};
  std::vector<std::string> declared{};  ///< names of its functions
  std::string interface {};             ///< declarations of its virtual functions
};

struct SourceText {
  std::vector<SourceClass> classes;  ///< nested ones too, inner ones first; none of those in functions
  std::vector<SourceFunction> functions;
};

SourceText read_source(const std::string& source);

/// The arguments of a list "(a, f(b, c))" that begins at `open`; `end`: after its closing bracket.
std::vector<std::string> arguments_at(const std::string& text, std::size_t open, std::size_t* end = nullptr);

}  // namespace heddle
