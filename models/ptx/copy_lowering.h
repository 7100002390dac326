#pragma once

// Translates asynchronous copies and their groups (PTX ISA 9.0, 9.7.9.25.3).

#include "models/ptx/mbarrier_lowering.h"

namespace heddle::ptx {

class CopyLowering {
 public:
  CopyLowering(FunctionScope& scope, OperandLowering& operands)
      : scope_(scope), operands_(operands), mbarriers_(scope, operands) {}

  /// Translates a statement of cp.async or mbarrier.
  void lower(const Statement& s, const Item& item);

 private:
  void copy(const Statement& s, Item item);
  void wait(const Statement& s, Item item);
  isa::Operand bytes_to_read(const Statement& s, const OperandSyntax& o, unsigned bytes);
  std::uint64_t constant(const Statement& s, const OperandSyntax& o, const char* what,
                         const char* allowed) const;

  FunctionScope& scope_;
  OperandLowering& operands_;
  MbarrierLowering mbarriers_;
};

}  // namespace heddle::ptx
