#include "models/ptx/call_graph.h"

#include <algorithm>
#include <map>

#include "models/ptx/kernel_context.h"

namespace heddle::ptx {
namespace {

using Edges = std::map<const Function*, std::set<const Function*>>;

std::set<const Function*> pointed_at(const ModuleData& module) {
  std::set<const Function*> found;
  bool takes = false;
  for (const Token& token : module.tokens) {
    if (token.is(";")) takes = false;
    if (token.is("=") || (token.kind == TokenKind::identifier && token.text == "mov")) takes = true;
    if (!takes || token.kind != TokenKind::identifier) continue;
    if (const Function* f = module.find_function(token.text)) found.insert(f);
  }
  return found;
}

bool alike(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Variable& x, const Variable& y) {
    return x.space == y.space && x.is_unsized() == y.is_unsized() &&
           (x.is_unsized() || x.bytes() == y.bytes());
  });
}

std::set<const Function*> callees(KernelContext& context, const Function& f) {
  std::set<const Function*> found;
  if (!f.has_body) return found;
  const Body& body = context.body_of(f);
  for (const Statement& s : body.statements) {
    if (s.kind != Statement::Kind::call) continue;
    if (is_direct(context, s))
      found.insert(context.module.find_function(s.call.callee.name));
    else
      for (const Function* candidate : call_candidates(context, body, s)) found.insert(candidate);
  }
  return found;
}

Edges reached_from(KernelContext& context, const Function& kernel) {
  Edges edges;
  std::vector<const Function*> open{&kernel};
  while (!open.empty()) {
    const Function* f = open.back();
    open.pop_back();
    if (edges.count(f)) continue;
    const auto& targets = edges[f] = callees(context, *f);
    open.insert(open.end(), targets.begin(), targets.end());
  }
  return edges;
}

/// Removes functions that call no remaining function, until there is no such function. All remaining
/// functions are recursive or call recursive functions.
void peel(Edges& edges) {
  Edges callers;
  std::vector<const Function*> leaves;
  for (const auto& [f, targets] : edges) {
    for (const Function* target : targets) callers[target].insert(f);
    if (targets.empty()) leaves.push_back(f);
  }
  while (!leaves.empty()) {
    const Function* leaf = leaves.back();
    leaves.pop_back();
    edges.erase(leaf);
    for (const Function* caller : callers[leaf]) {
      const auto it = edges.find(caller);
      if (it == edges.end()) continue;
      it->second.erase(leaf);
      if (it->second.empty()) leaves.push_back(caller);
    }
  }
}

Edges reversed(const Edges& edges) {
  Edges result;
  for (const auto& [f, targets] : edges) {
    result[f];
    for (const Function* target : targets)
      if (edges.count(target)) result[target].insert(f);
  }
  return result;
}

}  // namespace

const Statement* find_call_list(const Body& body, std::string_view name, int block) {
  for (; block >= 0; block = body.block_parent[static_cast<std::size_t>(block)])
    for (const Statement& s : body.statements)
      if (s.block == block && s.name == name &&
          (s.kind == Statement::Kind::targets || s.kind == Statement::Kind::prototype))
        return &s;
  return nullptr;
}

bool is_direct(const KernelContext& context, const Statement& call) {
  const OperandSyntax& o = call.call.callee;
  return call.call.list.empty() && o.kind == OperandSyntax::Kind::name &&
         context.module.find_function(o.name);
}

std::vector<const Function*> call_candidates(KernelContext& context, const Body& body,
                                             const Statement& call) {
  std::vector<const Function*> found;
  const Statement* list = find_call_list(body, call.call.list, call.block);
  if (!list) return found;
  if (list->kind == Statement::Kind::targets) {
    for (const OperandSyntax& o : list->operands)
      if (const Function* f = context.module.find_function(o.name)) found.push_back(f);
    return found;
  }
  if (!context.pointed_at) context.pointed_at = pointed_at(context.module);
  const std::set<const Function*>& pointed = *context.pointed_at;
  for (const Function& f : context.module.syntax.functions)
    if (f.has_body && !f.is_entry && pointed.count(&f) && alike(f.parameters, list->prototype_parameters) &&
        alike(f.results, list->prototype_results))
      found.push_back(&f);
  return found;
}

namespace {

/// Returns true if the function exchanges values between lanes or contains a barrier. The function's results
/// then depend on which lanes execute the function together.
bool lanes_meet_in(const Body& body) {
  static const std::set<std::string_view> kNames = {"activemask", "bar",      "barrier",   "ldmatrix",
                                                    "match",      "mma",      "movmatrix", "redux",
                                                    "shfl",       "stmatrix", "vote",      "wmma"};
  return std::any_of(body.statements.begin(), body.statements.end(), [](const Statement& s) {
    return s.kind == Statement::Kind::instruction && kNames.count(s.name);
  });
}

bool passes_alike(const Function& a, const Function& b) {
  return alike(a.parameters, b.parameters) && alike(a.results, b.results);
}

}  // namespace

std::set<const Function*> called_functions(KernelContext& context, const Function& kernel) {
  const Edges edges = reached_from(context, kernel);
  std::set<const Function*> found = recursive_functions(context, kernel);
  for (const Function* f : found)
    for (const auto& [inner, unused] : reached_from(context, *f))
      if (inner->has_body && lanes_meet_in(context.body_of(*inner))) return {};
  for (const auto& [f, unused] : edges) {
    if (!f->has_body) continue;
    const Body& body = context.body_of(*f);
    for (const Statement& s : body.statements) {
      if (s.kind != Statement::Kind::call || is_direct(context, s)) continue;
      const auto candidates = call_candidates(context, body, s);
      for (const Function* candidate : candidates)
        if (!candidate->has_body || !passes_alike(*candidate, *candidates.front())) return {};
      found.insert(candidates.begin(), candidates.end());
    }
  }
  return found;
}

std::set<const Function*> recursive_functions(KernelContext& context, const Function& kernel) {
  Edges edges = reached_from(context, kernel);
  peel(edges);
  edges = reversed(edges);
  peel(edges);
  std::set<const Function*> found;
  for (const auto& [f, callers] : edges) found.insert(f);
  return found;
}

}  // namespace heddle::ptx
