#pragma once

// Translates PTX instructions that the simulated machine does not have into several machine instructions.

#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

class ExpansionLowering {
 public:
  ExpansionLowering(FunctionScope& scope, OperandLowering& operands) : scope_(scope), operands_(operands) {}

  /// Returns true for statements that lower() expands: video instructions and cvt.pack.
  static bool expands(const Statement& s);
  void lower(const Statement& s, const Item& item);

 private:
  void add_words(const Statement& s, Item item);
  void add_half_distances(const Statement& s, Item item);
  void pack_clamped(const Statement& s, Item item);
  void finish(const Statement& s, const Item& whole, Item last, isa::DataType type);

  FunctionScope& scope_;
  OperandLowering& operands_;
};

}  // namespace heddle::ptx
