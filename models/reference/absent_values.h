#pragma once

// Follows values that a shfl took from lanes that do not execute it, through the registers of a warp. Such a value
// is undefined, but programs may take it and not use it, as sums of the first lanes of a warp do.

#include <cstdint>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

/// The registers of one warp.
class AbsentValues {
 public:
  /// A use that decides something: an address, a value in memory, a guard, an operation across lanes.
  struct Use {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;  ///< instruction from which the value comes
  };

  bool any() const { return any_; }
  /// Call before each instruction if there are any. Returns the use of such values.
  Use before(const ExecutedInstruction& e);
  /// Lanes whose register has such a value.
  LaneMask lanes_of(const ExecutedInstruction& e, const isa::Operand& o) { return at(e, o, 0).lanes; }
  /// Call after each instruction if there are any. Results of a shfl: `taken` are lanes that take a value from an
  /// absent lane, `moved` those that take such a value from another one.
  void after(const ExecutedInstruction& e, LaneMask taken, LaneMask moved);

 private:
  struct Value {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;
  };
  Value& at(const ExecutedInstruction& e, const isa::Operand& o, int word);
  void join(const ExecutedInstruction& e, const isa::Operand& o, LaneMask lanes, Use& into);
  Use sources(const ExecutedInstruction& e);

  std::vector<Value> values_;  ///< by register word, then predicate
  Use next_;                   ///< of the results of the instruction under way
  bool any_ = false;
};

}  // namespace heddle::reference
