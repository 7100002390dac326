#pragma once

// Call graph of a kernel: the functions that it calls, directly or through other functions. Also finds those
// that may be recursive.

#include <set>
#include <vector>

#include "models/ptx/ast.h"

namespace heddle::ptx {

struct KernelContext;

const Statement* find_call_list(const Body& body, std::string_view name, int block);

bool is_direct(const KernelContext& context, const Statement& call);

/// Returns the functions that an indirect call may reach. With .calltargets, these are the listed functions.
/// With a .callprototype, these are all functions of the module with matching parameters and results, if the
/// module takes their address.
std::vector<const Function*> call_candidates(KernelContext& context, const Body& body, const Statement& call);

/// Returns the functions that may call themselves, directly or through other functions. The result may also
/// contain functions that lie between recursive functions in the call graph.
std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel);

/// Returns the recursive functions and targets of indirect calls that stay functions in the untimed
/// reference. The result is empty if there are none, or if one of their calls cannot be kept.
std::set<const Function*> called_functions(KernelContext& context, const Function& kernel);

}  // namespace heddle::ptx
