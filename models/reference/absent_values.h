#pragma once

// Follows undefined values through the registers of a warp. A value is undefined if a shfl took it from a
// lane that does not execute the shfl. A program may take such a value without using it. For example, a sum
// over the first lanes of a warp ignores the values of the other lanes.

#include <cstdint>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

/// The registers of one warp.
class AbsentValues {
 public:
  /// Use of an undefined value that affects more than a register: as an address, as a value in memory, as a
  /// guard, or in an operation across lanes.
  struct Use {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;  ///< index of the shfl that took the value
  };

  bool any() const { return any_; }
  /// Call before each instruction while any() is true. Returns the use of undefined values by the
  /// instruction.
  Use before(const ExecutedInstruction& e);
  /// Lanes whose register holds an undefined value.
  LaneMask lanes_of(const ExecutedInstruction& e, const isa::Operand& o) { return at(e, o, 0).lanes; }
  /// Call after each instruction while any() is true, and after each shfl that takes an undefined value.
  /// `taken`: lanes that take a value from a lane that does not execute the shfl. `moved`: lanes that take a
  /// value from an executing lane, where the value is already undefined.
  void after(const ExecutedInstruction& e, LaneMask taken, LaneMask moved);

 private:
  struct Value {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;
  };
  Value& at(const ExecutedInstruction& e, const isa::Operand& o, int word);
  void join(const ExecutedInstruction& e, const isa::Operand& o, LaneMask lanes, Use& into);
  Use sources(const ExecutedInstruction& e);

  std::vector<Value> values_;  ///< indexed by register word, then by predicate
  Use next_;                   ///< undefined values among the results of the current instruction
  bool any_ = false;
};

}  // namespace heddle::reference
