#pragma once

// Data of a parsed module that the parts of the front end share.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/program.h"
#include "models/ptx/ast.h"
#include "models/ptx/kernel_name.h"
#include "models/ptx/lexer.h"
#include "models/ptx/parser.h"
#include "models/ptx/variable_space.h"

namespace heddle::ptx {

/// A variable of the module with its place (global and constant ones) or the reason why it has none.
struct ModuleSymbol {
  const Variable* variable = nullptr;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::optional<Refusal> refusal;
  bool elsewhere = false;  ///< declared here, defined in another module of the program
};

struct ModuleData {
  Source source;
  std::uint32_t own_lines = ~0u;  ///< of the source; what follows is the run time's
  std::vector<Token> tokens;
  ModuleSyntax syntax;
  std::map<std::string_view, ModuleSymbol> symbols;
  std::vector<isa::ModuleVariable> variables;
  std::vector<KernelName> kernels;

  const Function* find_function(std::string_view name) const;
  /// A number that stands for the address of a function: distinct, not null, nothing lies there.
  std::uint64_t address_of(const Function& function) const;
};

/// Gives every .global and .const variable of a program's modules an address from `free` on, and its initial bytes
/// (variable_layout.cpp).
void lay_out_variables(const std::vector<std::unique_ptr<ModuleData>>& modules, VariableSpace& free);

}  // namespace heddle::ptx
