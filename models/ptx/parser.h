#pragma once

// Parser for the module level of a PTX file: directives, variables and function headers. Stores the body of
// each function as a range of tokens.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"

namespace heddle::ptx {

struct ModuleSyntax {
  std::string version;
  std::string target;
  int address_bits = 64;
  Dialect dialect;
  GeneratedNames names;
  std::vector<Variable> variables;
  std::vector<Variable> registers;
  /// functions in the order of the text; the definition of a function replaces its declaration
  std::vector<Function> functions;
  std::map<std::string_view, std::size_t> function_by_name;
  std::map<std::string_view, std::string_view> aliases;
  std::map<std::uint64_t, std::string> files;
};

/// Parses the tokens of a module. Throws Error if the text does not have the structure of a PTX module.
ModuleSyntax parse_module_syntax(const Source& source, const std::vector<Token>& tokens);

/// Parses the body of a function. Throws Error for malformed statements and for instructions that `dialect`
/// does not support.
Body parse_body(const Source& source, const std::vector<Token>& tokens, TokenRange range,
                const Dialect& dialect);

}  // namespace heddle::ptx
