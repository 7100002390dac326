#include "models/compiler/strand_beginnings.h"

#include "models/compiler/analyses/pending_results.h"

namespace heddle::compiler {

bool has_strand_end(const isa::Program& program, const BasicBlock& block) {
  for (std::size_t n = block.first; n < block.end; ++n)
    if (program.code[n].ends_strand) return true;
  return false;
}

std::vector<bool> find_lost_entries(const isa::Program& program, const ControlFlow& flow,
                                    const WarpFlow& warp) {
  std::vector<bool> ends;
  for (const BasicBlock& block : flow.blocks()) ends.push_back(has_strand_end(program, block));
  return warp.behind(ends);
}

StrandBeginnings::StrandBeginnings(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp)
    : program_(program), flow_(flow), warp_(warp), begins_(static_cast<std::size_t>(flow.size()), false) {
  for (int b = 0; b < flow.size(); ++b)
    if (b == 0 || !flow.block(b).reachable) add(b);
}

void StrandBeginnings::add_blocks_that_run_twice() {
  for (const Split& s : warp_.splits()) {
    if (s.first == kNoBlock || s.second == kNoBlock) continue;
    std::vector<bool> first(static_cast<std::size_t>(flow_.size()), false);
    for (const int b : flow_.reachable_without(s.first, s.meet)) first[static_cast<std::size_t>(b)] = true;
    for (const int b : flow_.reachable_without(s.second, s.meet))
      if (first[static_cast<std::size_t>(b)]) add(b);
  }
}

void StrandBeginnings::mark() {
  const std::vector<bool> lost = find_lost_entries(program_, flow_, warp_);
  for (int b = 0; b < flow_.size(); ++b)
    if (lost[static_cast<std::size_t>(b)]) add(b);
  while (begin_at_second_entry()) {
  }
  for (int b = 0; b < flow_.size(); ++b) {
    const BasicBlock& block = flow_.block(b);
    if (begins_[static_cast<std::size_t>(b)]) program_.code[block.first].begins_strand = true;
    for (std::size_t n = block.first; n + 1 < block.end; ++n)
      if (program_.code[n].ends_strand) program_.code[n + 1].begins_strand = true;
  }
}

bool StrandBeginnings::ends_after(int block) const {
  const auto last = last_issued(program_, flow_.block(block), flow_.block(block).end);
  return last && program_.code[*last].ends_strand;
}

// Makes strands begin at blocks that would be entered from two strands. Returns true if there was such a
// block.
bool StrandBeginnings::begin_at_second_entry() {
  constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);
  std::vector<std::size_t> at_end(static_cast<std::size_t>(flow_.size()), kUnknown);
  const auto strand_at_end = [&](int b, std::size_t strand) {
    for (std::size_t n = flow_.block(b).first; n + 1 < flow_.block(b).end; ++n)
      if (program_.code[n].ends_strand) strand = n + 1;
    return strand;
  };
  bool added = false;
  for (bool again = true; again && !added;) {
    again = false;
    for (const int b : flow_.order()) {
      std::size_t strand = flow_.block(b).first;
      if (!begins_[static_cast<std::size_t>(b)]) {
        strand = kUnknown;
        bool agree = true;
        for (const int p : flow_.block(b).predecessors) {
          if (!flow_.block(p).reachable) continue;
          const std::size_t from = at_end[static_cast<std::size_t>(p)];
          agree = agree && !ends_after(p) && (strand == kUnknown || from == kUnknown || from == strand);
          if (strand == kUnknown) strand = from;
        }
        if (!agree) {
          add(b);
          added = true;
          strand = flow_.block(b).first;
        }
      }
      const std::size_t end = strand_at_end(b, strand);
      again = again || end != at_end[static_cast<std::size_t>(b)];
      at_end[static_cast<std::size_t>(b)] = end;
    }
  }
  return added;
}

}  // namespace heddle::compiler
