#pragma once

// Parser for the module level of a PTX file: directives, variables and function headers. Bodies stay token
// ranges.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/ptx/ast.h"
#include "models/ptx/dialect.h"

namespace heddle::ptx {

struct ModuleSyntax {
  std::string version;  ///< such as "9.0"; empty without .version
  std::string target;   ///< such as "sm_75, debug"
  int address_bits = 64;
  Dialect dialect;
  GeneratedNames names;
  std::vector<Variable> variables;  ///< in the spaces .global, .const, .shared, .local and .param
  std::vector<Variable> registers;  ///< registers declared outside of functions (PTX 1 to 3)
  std::vector<Function> functions;  ///< in the order of the text; a definition replaces its declaration
  std::map<std::string_view, std::size_t> function_by_name;
  std::map<std::string_view, std::string_view> aliases;
  std::map<std::uint64_t, std::string> files;  ///< name by .file number
};

/// Throws Error if the text does not have the structure of a PTX module.
ModuleSyntax parse_module_syntax(const Source& source, const std::vector<Token>& tokens);

/// Returns the statements of a function body. Throws Error for malformed statements and for instructions that
/// `dialect` does not support.
Body parse_body(const Source& source, const std::vector<Token>& tokens, TokenRange range,
                const Dialect& dialect);

}  // namespace heddle::ptx
