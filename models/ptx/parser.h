#pragma once

// The module level of a PTX file: directives, variables, function headers. Bodies are left as token ranges.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"

namespace heddle::ptx {

struct ModuleSyntax {
  std::string version;  ///< "9.0", empty if not said
  std::string target;   ///< "sm_75, debug"
  int address_bits = 64;
  Dialect dialect;
  GeneratedNames names;
  std::vector<Variable> variables;  ///< .global, .const, .shared, .local and .param ones
  std::vector<Variable> registers;  ///< declared outside of functions (PTX 1 to 3)
  std::vector<Function> functions;  ///< in the order written; a declaration gives way to its definition
  std::map<std::string_view, std::size_t> function_by_name;
  std::map<std::string_view, std::string_view> aliases;
  std::map<std::uint64_t, std::string> files;  ///< .file number, name
};

/// Throws Error for text that has not the structure of a PTX module.
ModuleSyntax parse_module_syntax(const Source& source, const std::vector<Token>& tokens);

/// Statements of a function body; throws Error for malformed ones and for instructions that are not
/// supported in `dialect`.
Body parse_body(const Source& source, const std::vector<Token>& tokens, TokenRange range,
                const Dialect& dialect);

}  // namespace heddle::ptx
