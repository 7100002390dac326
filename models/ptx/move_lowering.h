#pragma once

// Translates moves (scalar, vector, packing and unpacking, addresses of variables) and address conversions.

#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

class MoveLowering {
 public:
  MoveLowering(FunctionScope& scope, OperandLowering& operands) : scope_(scope), operands_(operands) {}

  void move(const Statement& s, Item item);
  void create_policy(const Statement& s, Item item);
  void convert_address(const Statement& s, Item item);

 private:
  void move_vector(const Statement& s, const OperandSyntax& to, const OperandSyntax& from, Item item);
  void pack(const Statement& s, const OperandSyntax& parts, Item item);
  void unpack(const Statement& s, const OperandSyntax& parts, Item item);

  FunctionScope& scope_;
  OperandLowering& operands_;
};

}  // namespace heddle::ptx
