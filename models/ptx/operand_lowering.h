#pragma once

// Translates instruction operands (registers, immediates, special registers, variables and addresses) with
// the type checks of PTX (PTX ISA 9.4).

#include "models/ptx/fixed_operands.h"

namespace heddle::ptx {

class OperandLowering {
 public:
  explicit OperandLowering(FunctionScope& scope) : scope_(scope), fixed_(scope) {}

  struct SlotType {
    isa::DataType type = isa::DataType::none;
    bool wider = false;
  };
  void operands(const Statement& s, const CompiledForm& form, bool has_hint, Item& item);
  isa::Operand destination(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand source(const Statement& s, const OperandSyntax& o, SlotType type);
  void vector_operands(const Statement& s, const OperandSyntax& o, bool destination, Item& item);
  /// Adds the address in brackets as a source of the instruction `item`, and sets its memory offset and
  /// variable.
  void address_operand(const Statement& s, const OperandSyntax& o, Item& item);
  isa::Guard guard(const GuardSyntax& g);
  void move_address(const OperandSyntax& o, Item& item);

 private:
  SlotType slot_type(const Slot& slot, const isa::Instruction& i) const;
  void slot(const Statement& s, const Slot& slot, const OperandSyntax& o, Item& item);
  void check_memory_space(const OperandSyntax& o, const Symbol& symbol, Item& item) const;
  isa::Operand predicate(const OperandSyntax& o, bool is_destination);
  isa::Operand sum(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand register_operand(const Statement& s, const OperandSyntax& o, SlotType type);
  isa::Operand frame_address(const OperandSyntax& o, const Symbol& symbol, int bits);

  FunctionScope& scope_;
  FixedOperands fixed_;
};

}  // namespace heddle::ptx
