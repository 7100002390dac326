#pragma once

// Call graph of a kernel: the functions that it calls, directly or through others, and which of them may be
// recursive.

#include <set>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

struct KernelContext;

const Statement* find_call_list(const Body& body, std::string_view name, int block);

bool is_direct(const KernelContext& context, const Statement& call);

/// Returns the functions that an indirect call may reach. With .calltargets, these are the listed functions.
/// With a .callprototype, these are all functions with matching parameters and results whose address is taken
/// in the module.
std::vector<const Function*> call_candidates(KernelContext& context, const Body& body, const Statement& call);

/// Returns the functions that may call themselves, directly or through others. The result may also contain
/// functions that lie between such functions in the call graph.
std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel);

/// Returns the recursive functions and targets of indirect calls, which stay functions for the untimed
/// reference. The result is empty if there are none, or if the call of one of them cannot be kept.
std::set<const Function*> called_functions(KernelContext& context, const Function& kernel);

}  // namespace heddle::ptx
