#pragma once

// Translates instructions on mbarrier objects (PTX ISA 9.0, 9.7.13.15) to 64-bit atomic operations in shared
// memory. For test_wait and try_wait, a comparison of the phase bits follows, as in the machine code of
// sm_80.

#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

class MbarrierLowering {
 public:
  MbarrierLowering(FunctionScope& scope, OperandLowering& operands) : scope_(scope), operands_(operands) {}

  /// Translates a statement of mbarrier, or cp.async.mbarrier.arrive.
  void lower(const Statement& s, Item item);

 private:
  void arrive(const Statement& s, Item item);
  void wait(const Statement& s, Item item);
  void pending_count(const Statement& s, const Item& item);
  void access(const Statement& s, Item item, const OperandSyntax& address, const isa::Operand& value);
  isa::Operand upper_word(const Statement& s, const isa::Guard& guard, const isa::Operand& value);
  isa::Operand emit(const Statement& s, const isa::Guard& guard, Item item);

  FunctionScope& scope_;
  OperandLowering& operands_;
};

}  // namespace heddle::ptx
