#pragma once

// Follows undefined values through the registers of a warp. If the source lane of a lane does not execute the
// shfl, this lane gets an undefined value. Such a value is an error only if the program uses it in a way that
// matters, such as an address (see Use).

#include <cstdint>
#include <vector>

#include "models/reference/reference.h"

namespace heddle::reference {

class AbsentValues {
 public:
  /// A use of an undefined value matters in these cases: as an address, as a value written to memory, as a
  /// guard, or in an operation across lanes.
  struct Use {
    LaneMask lanes = 0;
    std::uint32_t shuffle = 0;
  };

  bool any() const { return any_; }
  /// Returns how the instruction uses undefined values. Must be called before each instruction while any() is
  /// true, that is, while a register holds an undefined value.
  Use before(const ExecutedInstruction& e);
  LaneMask lanes_of(const ExecutedInstruction& e, const isa::Operand& o) { return at(e, o, 0).lanes; }
  /// Must be called after each instruction while any() is true. While any() is false, must be called only
  /// after a shfl that reads from a lane which does not execute the shfl. Such a shfl creates an undefined
  /// value. `taken`: lanes whose source lane does not execute the shfl. `moved`: lanes whose source lane
  /// executes the shfl, and holds an undefined value.
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
