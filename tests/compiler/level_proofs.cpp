#include "tests/compiler/level_proofs.h"

#include "models/compiler/analyses/pending_results.h"

namespace heddle::compiler {

namespace {

// Returns true if every instruction that may issue directly before `block` ends a strand.
bool all_end_before(const isa::Program& program, const ControlFlow& flow, const WarpFlow& warp, int block,
                    std::vector<bool>& seen) {
  if (block == 0) return false;
  for (const int p : warp.predecessors(block)) {
    if (seen[static_cast<std::size_t>(p)]) continue;
    if (warp.is_block(p)) {
      if (const auto last = last_issued(program, flow.block(p), flow.block(p).end)) {
        if (!program.code[*last].ends_strand) return false;
        continue;
      }
    }
    seen[static_cast<std::size_t>(p)] = true;
    if (!all_end_before(program, flow, warp, p, seen)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> find_mid_strand_wait(const isa::Program& program, const ControlFlow& flow,
                                                const WarpFlow& warp) {
  const PendingResults results(program, flow, warp);
  std::optional<std::size_t> found;
  for (const int b : flow.order()) {
    BitSet pending = results.entering(b);
    const BasicBlock& block = flow.block(b);
    for (std::size_t n = block.first; n < block.end; ++n) {
      const isa::Instruction& i = program.code[n];
      if (!i.metadata && PendingResults::waits(i, pending)) {
        const auto before = last_issued(program, block, n);
        std::vector<bool> seen(static_cast<std::size_t>(warp.size()), false);
        const bool first =
            before ? program.code[*before].ends_strand : all_end_before(program, flow, warp, b, seen);
        if (!first && (!found || n < *found)) found = n;
      }
      PendingResults::step(i, pending);
    }
  }
  return found;
}

LevelAccesses predict_flat_accesses(const isa::Program& program,
                                    const std::function<std::uint64_t(std::size_t)>& executions) {
  LevelAccesses sum;
  for (std::size_t n = 0; n < program.code.size(); ++n)
    sum.add_flat(program.code[n], executions ? executions(n) : 1);
  return sum;
}

}  // namespace heddle::compiler
