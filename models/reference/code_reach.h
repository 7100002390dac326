#pragma once

// Finds the instructions that a thread can still execute from a given instruction. A call is followed to
// every function, and a return to every instruction after a call.

#include <vector>

#include "models/isa/program.h"

namespace heddle::reference {

class CodeReach {
 public:
  explicit CodeReach(const isa::Program& program);

  /// By instruction: true if a barrier of the CTA can follow, this instruction included.
  bool reaches_barrier(std::int32_t pc) const { return at(barrier_, pc); }
  /// Returns the next instruction that does something: skips metadata, nop and branches without a guard.
  std::int32_t next_real(std::int32_t pc) const;
  /// True if the next instruction that a thread executes from `pc` is an exit without a guard.
  bool ends(std::int32_t pc) const;

 private:
  static bool at(const std::vector<bool>& table, std::int32_t pc) {
    return pc >= 0 && static_cast<std::size_t>(pc) < table.size() && table[static_cast<std::size_t>(pc)];
  }
  const isa::Program& program_;
  std::vector<bool> barrier_;
};

}  // namespace heddle::reference
