#pragma once

// Finds the moves (register copies) that still hold at an instruction of a block, for copy propagation. A
// move holds while its target still contains its source's value.

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

/// Returns target and source of a move if reads of the target may be replaced by reads of the source. Returns
/// nothing for all other instructions.
std::optional<CopyFact> fact_of(const isa::Instruction& i);
bool is_constant(const isa::Operand& o);
bool is_arithmetic(const isa::Instruction& i);
bool changes_control_flow(const isa::Instruction& i);
/// Returns true if `constant` may replace source operand s of the instruction.
bool accepts(const isa::Instruction& i, std::size_t s, const isa::Operand& constant);

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
  std::vector<int> of_target_;
  std::vector<std::vector<std::size_t>> mentioned_in_;
  std::vector<std::size_t> touched_;
};

}  // namespace heddle::compiler
