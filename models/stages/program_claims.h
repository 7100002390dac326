#pragma once

// Registers that the instructions of a program claim at issue: those that they write to this stage. Plain
// C++.
//
// A stage above may keep results of strands in its own entries. A strand is the instructions between two
// points at which a warp may be descheduled, so a warp must not stall within a strand. The first instruction
// of a strand therefore claims every register that the warp may write here before the strand ends. Both sides
// of the surrounding branches count.

#include <optional>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle {

class ProgramClaims {
 public:
  /// Call with true before begin() if a stage above keeps results by their annotations.
  void set_kept_above(bool above) { kept_above_ = above; }
  bool comes_down(const isa::OperandAnnotation& destination) const {
    return !kept_above_ || destination.write_levels == 0 ||
           (destination.write_levels & isa::level_bit(isa::kMainLevel));
  }
  void begin(const isa::Program& program);
  const isa::Program* program() const { return program_; }

  /// True if the first instruction of a strand claims for the whole strand.
  bool by_strands() const { return by_strands_; }
  /// Most registers that any instruction claims.
  int most() const { return most_; }
  std::uint32_t index_of(const isa::Instruction& instruction) const {
    return static_cast<std::uint32_t>(&instruction - program_->code.data());
  }
  /// Registers that instruction n writes: as a set, and as a list of numbers.
  const RegisterSet& written_by(std::uint32_t n) const { return words_[n]; }
  std::span<const std::uint32_t> numbers_of(std::uint32_t n) const {
    return {numbers_.data() + first_[n], numbers_.data() + first_[n + 1]};
  }
  /// Registers that a warp may write from instruction n on, before a strand ends.
  const RegisterSet& written_from(std::uint32_t n) const;

 private:
  bool kept_above_ = false;
  const isa::Program* program_ = nullptr;
  std::vector<RegisterSet> words_;      ///< by instruction
  std::vector<std::uint32_t> numbers_;  ///< registers of all instructions, one after the other
  /// By instruction: position of its first register in numbers_. The last element is the end.
  std::vector<std::uint32_t> first_;
  bool by_strands_ = false;
  /// By the first instruction of a strand that issued.
  mutable std::vector<std::optional<RegisterSet>> strand_words_;
  isa::BranchSides sides_{{}, {}, {}};  ///< sides of branches, by instruction
  int most_ = 0;
};

}  // namespace heddle
