#pragma once

// Translates matrix instructions (PTX ISA 9.0, 9.7.14). PTX lists the registers of a matrix operand one by
// one, but hardware reads a group of consecutive registers. Moves copy the registers of the PTX text into
// this group, and back for results. Register allocation makes most of these moves unnecessary
// (models/compiler/merge_groups.h).

#include <vector>

#include "models/ptx/operand_lowering.h"

namespace heddle::ptx {

class MatrixLowering {
 public:
  MatrixLowering(FunctionScope& scope, OperandLowering& operands) : scope_(scope), operands_(operands) {}

  void multiply(const Statement& s, const Item& item);
  /// Translates ldmatrix and stmatrix, which have one register for each 8x8 matrix.
  void access(const Statement& s, Item item);
  /// Emits one mma instruction with the shape and types of `item`. `d`, `a`, `b`, `c`: registers of each
  /// operand.
  void multiply_parts(const Statement& s, Item item, const std::vector<OperandSyntax>& d,
                      const std::vector<OperandSyntax>& a, const std::vector<OperandSyntax>& b,
                      const std::vector<OperandSyntax>& c);

 private:
  std::vector<OperandSyntax> elements(const Statement& s, std::size_t operand, int words,
                                      isa::DataType type) const;
  isa::Operand source(const Statement& s, const std::vector<OperandSyntax>& list, isa::DataType type);
  static Item move(int bits, const isa::Operand& to, const isa::Operand& from);

  FunctionScope& scope_;
  OperandLowering& operands_;
};

}  // namespace heddle::ptx
