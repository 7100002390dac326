#include "models/reference/reference.h"

namespace heddle::reference {
namespace {

void add_counts(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
  if (into.size() != from.size()) {
    into.clear();
    return;
  }
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

}  // namespace

ReferenceResult& ReferenceResult::operator+=(const ReferenceResult& o) {
  ctas += o.ctas;
  warps += o.warps;
  warp_instructions += o.warp_instructions;
  thread_instructions += o.thread_instructions;
  overhead_instructions += o.overhead_instructions;
  for (std::size_t i = 0; i < by_class.size(); ++i) by_class[i] += o.by_class[i];
  for (std::size_t i = 0; i < by_unit.size(); ++i) by_unit[i] += o.by_unit[i];
  add_counts(issues, o.issues);
  add_counts(threads, o.threads);
  add_counts(guarded_off, o.guarded_off);
  branches += o.branches;
  divergent_branches += o.divergent_branches;
  barriers += o.barriers;
  global_accesses += o.global_accesses;
  global_segments += o.global_segments;
  shared_accesses += o.shared_accesses;
  local_accesses += o.local_accesses;
  atomics += o.atomics;
  return *this;
}

}  // namespace heddle::reference
