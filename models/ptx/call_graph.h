#pragma once

// Which functions the calls of a kernel reach, and which of these may be under way more than once.

#include <set>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

struct KernelContext;

/// The list or prototype that `name` means as seen from `block`, or nullptr.
const Statement* find_call_list(const Body& body, std::string_view name, int block);

/// True if the call names its function; false if it goes through a register.
bool is_direct(const KernelContext& context, const Statement& call);

/// Functions that a call through a register may mean: those of its .calltargets; with a .callprototype, those of its
/// parameters and results whose address the module takes somewhere. In the order of the module.
std::vector<const Function*> call_candidates(KernelContext& context, const Body& body, const Statement& call);

/// Functions that may call themselves, by way of others too, and some between such ones.
std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel);

/// Those, and functions that are called through registers: calls that can be kept. None where there are none, or where one cannot be kept
/// (Calls::kept).
std::set<const Function*> called_functions(KernelContext& context, const Function& kernel);

}  // namespace heddle::ptx
