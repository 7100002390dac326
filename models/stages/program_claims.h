#pragma once

// Claims of a program's instructions at issue: the registers that they write below. Plain C++.
//
// If a stage above keeps results of strands in entries of its own, a warp must not stall within a strand: its
// first instruction claims every register that the warp may write below before it issues the end of a strand,
// on all sides of the branches around it.

#include <optional>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle {

class ProgramClaims {
 public:
  /// Results may be kept above by their annotations. Before begin().
  void set_kept_above(bool above) { kept_above_ = above; }
  bool comes_down(const isa::OperandAnnotation& destination) const {
    return !kept_above_ || destination.write_levels == 0 ||
           (destination.write_levels & isa::level_bit(isa::kMainLevel));
  }
  void begin(const isa::Program& program);
  const isa::Program* program() const { return program_; }

  /// Strands claim as a whole.
  bool by_strands() const { return by_strands_; }
  /// No instruction claims more.
  int most() const { return most_; }
  std::uint32_t index_of(const isa::Instruction& instruction) const {
    return static_cast<std::uint32_t>(&instruction - program_->code.data());
  }
  /// Registers that instruction n writes, as a set and one by one.
  const RegisterSet& written_by(std::uint32_t n) const { return words_[n]; }
  std::span<const std::uint32_t> numbers_of(std::uint32_t n) const {
    return {numbers_.data() + first_[n], numbers_.data() + first_[n + 1]};
  }
  /// Registers that a warp may write from instruction n on before it issues the end of a strand.
  const RegisterSet& written_from(std::uint32_t n) const;

 private:
  bool kept_above_ = false;
  const isa::Program* program_ = nullptr;
  std::vector<RegisterSet> words_;      ///< by instruction
  std::vector<std::uint32_t> numbers_;  ///< the registers of all of words_
  std::vector<std::uint32_t> first_;    ///< by instruction, the first of its own there; and an end
  bool by_strands_ = false;
  mutable std::vector<std::optional<RegisterSet>> strand_words_;  ///< by a strand's first instruction issued
  isa::BranchSides sides_{{}, {}, {}};                            ///< by instruction
  int most_ = 0;
};

}  // namespace heddle
