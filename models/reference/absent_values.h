#pragma once

// Follows undefined values through the registers of a warp. A lane of a shfl gets an undefined value if its
// source lane does not execute the shfl. An undefined value is an error only if the program uses it in a way
// that matters, such as an address (see Use).

#include <cstdint>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

class AbsentValues {
 public:
  /// A use of an undefined value that matters: as an address, as a value written to memory, as a guard, or in
  /// an operation across lanes.
  struct Use {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;
  };

  bool any() const { return any_; }
  /// Returns the lanes in which the instruction uses undefined values in a way that matters. While any() is
  /// true (a register holds an undefined value), must be called before each instruction.
  Use before(const ExecutedInstruction& e);
  LaneMask lanes_of(const ExecutedInstruction& e, const isa::Operand& o) { return at(e, o, 0).lanes; }
  /// Updates which registers hold undefined values. While any() is true, must be called after each
  /// instruction. While any() is false, must be called only after a shfl in which a source lane does not
  /// execute the shfl: such a shfl creates an undefined value. `taken`: lanes whose source lane does not
  /// execute the shfl. `moved`: lanes whose source lane executes the shfl, and holds an undefined value.
  void after(const ExecutedInstruction& e, LaneMask taken, LaneMask moved);

 private:
  struct Value {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;
  };
  Value& at(const ExecutedInstruction& e, const isa::Operand& o, int word);
  void join(const ExecutedInstruction& e, const isa::Operand& o, LaneMask lanes, Use& into);
  Use sources(const ExecutedInstruction& e);

  std::vector<Value> values_;
  Use next_;
  bool any_ = false;
};

}  // namespace heddle::reference
