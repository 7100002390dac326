#pragma once

// Call graph of a kernel: the functions that its calls reach, and those that may be recursive.

#include <set>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

struct KernelContext;

/// Returns the .calltargets list or .callprototype that `name` stands for in `block`, or nullptr.
const Statement* find_call_list(const Body& body, std::string_view name, int block);

/// True if the call names its function, false if it goes through a register.
bool is_direct(const KernelContext& context, const Statement& call);

/// Returns the possible callees of an indirect call, in the order of the module. With .calltargets these are
/// the listed functions. With a .callprototype these are all functions with its parameters and results whose
/// address the module takes.
std::vector<const Function*> call_candidates(KernelContext& context, const Body& body, const Statement& call);

/// Functions that may call themselves, directly or through others, and some functions between such functions.
std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel);

/// Returns the functions whose calls are kept with Calls::kept: the recursive ones and the targets of
/// indirect calls. Empty if there are none, or if the call of one of them cannot be kept.
std::set<const Function*> called_functions(KernelContext& context, const Function& kernel);

}  // namespace heddle::ptx
