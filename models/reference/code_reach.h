#pragma once

// Computes from which instructions a thread can still reach a barrier. Assumes that a call may reach every
// function, and that a return may reach every instruction after a call.

#include <vector>

#include "models/isa/program.h"

namespace heddle::reference {

class CodeReach {
 public:
  explicit CodeReach(const isa::Program& program);

  bool reaches_barrier(std::int32_t pc) const { return at(barrier_, pc); }
  std::int32_t next_real(std::int32_t pc) const;
  bool ends(std::int32_t pc) const;

 private:
  static bool at(const std::vector<bool>& table, std::int32_t pc) {
    return pc >= 0 && static_cast<std::size_t>(pc) < table.size() && table[static_cast<std::size_t>(pc)];
  }
  const isa::Program& program_;
  std::vector<bool> barrier_;
};

}  // namespace heddle::reference
