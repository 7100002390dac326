#pragma once

// Computes which registers the instructions of a program claim at issue. A claim is a warp's right to a
// register entry that is not allocated yet. An instruction claims the registers that it writes to the
// renaming stage.
//
// If a stage above keeps results until the strand ends, a warp must not stall within a strand. Therefore the
// first instruction of a strand claims all registers that the strand may write to the renaming stage.

#include <optional>
#include <span>
#include <vector>

#include "models/core/register_set.h"
#include "models/isa/branch_sides.h"
#include "models/isa/program.h"

namespace heddle {

class ProgramClaims {
 public:
  /// Sets whether a stage above the renaming stage keeps the results that the compiler has assigned to it.
  /// Must be called before begin().
  void set_kept_above(bool above) { kept_above_ = above; }
  bool comes_down(const isa::OperandAnnotation& destination) const {
    return !kept_above_ || destination.writes_main_level();
  }
  void begin(const isa::Program& program);
  const isa::Program* program() const { return program_; }

  bool by_strands() const { return by_strands_; }
  int most() const { return most_; }
  std::uint32_t index_of(const isa::Instruction& instruction) const {
    return static_cast<std::uint32_t>(&instruction - program_->code.data());
  }
  /// Both return the registers that instruction n writes. written_by(): as a set. numbers_of(): as a list of
  /// register numbers.
  const RegisterSet& written_by(std::uint32_t n) const { return words_[n]; }
  std::span<const std::uint32_t> numbers_of(std::uint32_t n) const {
    return {numbers_.data() + first_[n], numbers_.data() + first_[n + 1]};
  }
  const RegisterSet& written_from(std::uint32_t n) const;

 private:
  bool kept_above_ = false;
  const isa::Program* program_ = nullptr;
  std::vector<RegisterSet> words_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> first_;
  bool by_strands_ = false;
  /// Registers that each strand may write, indexed by the strand's first instruction. Computed when the
  /// strand issues for the first time.
  mutable std::vector<std::optional<RegisterSet>> strand_words_;
  isa::BranchSides sides_{{}, {}, {}};
  int most_ = 0;
};

}  // namespace heddle
