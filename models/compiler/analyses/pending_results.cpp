#include "models/compiler/analyses/pending_results.h"

#include "models/compiler/analyses/long_latency.h"
#include "models/compiler/analyses/use_def.h"

namespace heddle::compiler {

using isa::Instruction;

bool PendingResults::waits(const Instruction& i, const BitSet& pending) {
  bool found = false;
  for_each_read_word(i, [&](std::uint32_t w) { found = found || pending.test(w); });
  for_each_written_word(i, [&](std::uint32_t w) { found = found || pending.test(w); });
  return found;
}

void PendingResults::step(const Instruction& i, BitSet& pending) {
  if (i.metadata) return;
  for_each_read_word(i, [&](std::uint32_t w) { pending.reset(w); });
  for_each_written_word(i, [&](std::uint32_t w) { pending.reset(w); });
  if (is_long_latency(i)) for_each_written_word(i, [&](std::uint32_t w) { pending.set(w); });
  if (i.ends_strand && i.strand_waits) pending.clear();
}

PendingResults::PendingResults(const isa::Program& program, const ControlFlow& flow, const WarpFlow& warp)
    : in_(static_cast<std::size_t>(warp.size()), BitSet(program.registers)), out_(in_) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const int b : warp.order()) {
      const auto n = static_cast<std::size_t>(b);
      for (const int p : warp.predecessors(b)) in_[n].merge(out_[static_cast<std::size_t>(p)]);
      BitSet pending = in_[n];
      if (warp.is_block(b))
        for (std::uint32_t i = flow.block(b).first; i < flow.block(b).end; ++i)
          step(program.code[i], pending);
      changed = out_[n].merge(pending) || changed;
    }
  }
}

std::optional<std::size_t> last_issued(const isa::Program& program, const BasicBlock& block,
                                       std::size_t end) {
  while (end-- > block.first)
    if (!program.code[end].metadata) return end;
  return std::nullopt;
}

}  // namespace heddle::compiler
