#pragma once

// Plain moves, and the set of moves that hold at a point of a block, for copy propagation.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/isa/instruction.h"

namespace heddle::compiler {

struct CopyFact {
  isa::Operand to;
  isa::Operand from;
};

/// Returns the move, if the instruction is a plain move whose source may replace its target.
std::optional<CopyFact> fact_of(const isa::Instruction& i);
bool is_constant(const isa::Operand& o);
/// True for instructions of arithmetic units in a form that accepts constants.
bool is_arithmetic(const isa::Instruction& i);
bool changes_control_flow(const isa::Instruction& i);
/// True if source s of the instruction may be this constant.
bool accepts(const isa::Instruction& i, std::size_t s, const isa::Operand& constant);

/// Copies that hold at one point of a block. A register is the target of at most one copy, because each write
/// of it ends the previous copy.
class KnownCopies {
 public:
  explicit KnownCopies(std::size_t members) : of_target_(members, kNone), mentioned_in_(members) {}

  static constexpr int kNone = -1;
  int of(std::size_t target) const { return of_target_[target]; }
  void clear() {
    for (const std::size_t m : touched_) {
      of_target_[m] = kNone;
      mentioned_in_[m].clear();
    }
    touched_.clear();
  }
  /// `members`: registers whose writes end the copy; the first one is its target.
  void add(int fact, std::span<const std::size_t> members) {
    of_target_[members[0]] = fact;
    for (const std::size_t m : members) {
      mentioned_in_[m].push_back(members[0]);
      touched_.push_back(m);
    }
  }
  void end(std::size_t member) {
    for (const std::size_t target : mentioned_in_[member]) of_target_[target] = kNone;
    mentioned_in_[member].clear();
  }

 private:
  std::vector<int> of_target_;                          // by member: copy with this target
  std::vector<std::vector<std::size_t>> mentioned_in_;  // by member: targets of the copies that use it
  std::vector<std::size_t> touched_;
};

}  // namespace heddle::compiler
