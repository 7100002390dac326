#pragma once

// Data of a parsed PTX module, which all parts of the front end share.

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

/// A variable of a module. Global and constant variables have an address, or in `refusal` the reason why they
/// cannot be used.
struct ModuleSymbol {
  const Variable* variable = nullptr;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::optional<Refusal> refusal;
  bool elsewhere = false;
};

struct ModuleData {
  Source source;
  /// Number of lines of the user's PTX text. Later lines are the run-time library that the front end appends.
  std::uint32_t own_lines = ~0u;
  std::vector<Token> tokens;
  ModuleSyntax syntax;
  std::map<std::string_view, ModuleSymbol> symbols;
  std::vector<isa::ModuleVariable> variables;
  std::vector<KernelName> kernels;

  const Function* find_function(std::string_view name) const;
  /// Returns the number that stands for the address of a function. The number is unique, not null, and not an
  /// address of mapped memory.
  std::uint64_t address_of(const Function& function) const;
};

/// Assigns addresses and initial contents to the .global and .const variables of all modules of a program.
/// `free`: first free addresses, which are advanced past the variables.
void lay_out_variables(const std::vector<std::unique_ptr<ModuleData>>& modules, VariableSpace& free);

}  // namespace heddle::ptx
