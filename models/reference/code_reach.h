#pragma once

// Which instructions a thread can still execute from a place in a program. Calls and returns are followed to all
// functions and to all places after calls.

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
  /// True if a thread at this place ends at once.
  bool ends(std::int32_t pc) const;

 private:
  static bool at(const std::vector<bool>& table, std::int32_t pc) {
    return pc >= 0 && static_cast<std::size_t>(pc) < table.size() && table[static_cast<std::size_t>(pc)];
  }
  const isa::Program& program_;
  std::vector<bool> barrier_;
};

}  // namespace heddle::reference
