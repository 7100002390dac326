#pragma once

// Call graph of a kernel: the functions that it calls, directly or through other functions.

#include <set>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

struct KernelContext;

const Statement* find_call_list(const Body& body, std::string_view name, int block);

bool is_direct(const KernelContext& context, const Statement& call);

/// Returns the functions that an indirect call may reach. With .calltargets, these are the listed functions.
/// With a .callprototype, these are the functions of the module whose address the program takes, and whose
/// parameters and results match the prototype.
std::vector<const Function*> call_candidates(KernelContext& context, const Body& body, const Statement& call);

/// Returns the functions that may call themselves, directly or through other functions. The result also
/// contains functions on a path of calls from one recursive function to another.
std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel);

/// Returns the functions that the untimed reference can call without inlining: recursive functions, and targets
/// of indirect calls. Empty if one of these functions must be inlined or lowered to branches.
std::set<const Function*> called_functions(KernelContext& context, const Function& kernel);

}  // namespace heddle::ptx
