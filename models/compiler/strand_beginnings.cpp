#include "models/compiler/strand_beginnings.h"

#include <algorithm>

#include "models/compiler/pending_results.h"

namespace heddle::compiler {

StrandBeginnings::StrandBeginnings(isa::Program& program, const ControlFlow& flow, const WarpFlow& warp)
    : program_(program), flow_(flow), warp_(warp), begins_(static_cast<std::size_t>(flow.size()), false) {
  for (int b = 0; b < flow.size(); ++b)
    if (b == 0 || !flow.block(b).reachable) add(b);
}

void StrandBeginnings::add_blocks_that_run_twice() {
  for (const Split& s : warp_.splits()) {
    std::vector<bool> first(static_cast<std::size_t>(flow_.size()), false);
    for (const int b : s.on_first) first[static_cast<std::size_t>(b)] = true;
    for (const int b : s.on_second)
      if (first[static_cast<std::size_t>(b)]) add(b);
  }
}

void StrandBeginnings::mark() {
  find_lost_entries();
  while (begin_at_second_entry()) {
  }
  for (int b = 0; b < flow_.size(); ++b) {
    const BasicBlock& block = flow_.block(b);
    if (begins_[static_cast<std::size_t>(b)]) program_.code[block.first].begins_strand = true;
    for (std::size_t n = block.first; n + 1 < block.end; ++n)
      if (program_.code[n].ends_strand) program_.code[n + 1].begins_strand = true;
  }
}

bool StrandBeginnings::has_end(int block) const {
  for (std::size_t n = flow_.block(block).first; n < flow_.block(block).end; ++n)
    if (program_.code[n].ends_strand) return true;
  return false;
}

bool StrandBeginnings::ends_behind(int block) const {
  const auto last = last_issued(program_, flow_.block(block), flow_.block(block).end);
  return last && program_.code[*last].ends_strand;
}

void StrandBeginnings::find_lost_entries() {
  const auto end_on = [&](const std::vector<int>& side) {
    return std::any_of(side.begin(), side.end(), [&](int b) { return has_end(b); });
  };
  for (const Split& s : warp_.splits()) {
    const bool first = end_on(s.on_first);
    if (s.second != kNoBlock && first) add(s.second);
    if (s.meet != kNoBlock && (first || end_on(s.on_second))) add(s.meet);
  }
}

// Blocks that are entered from two strands; true if there was one. Strands are told apart by the instruction
// that they begin at.
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
          agree = agree && !ends_behind(p) && (strand == kUnknown || from == kUnknown || from == strand);
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
