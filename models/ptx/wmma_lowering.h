#pragma once

// Translates wmma.load, wmma.mma and wmma.store (PTX ISA 9.0, 9.7.14.4). A fragment is the part of a matrix
// in the warp's registers. PTX does not define which elements each lane holds. In Heddle, a wmma fragment
// consists of the fragments of mma instructions, one after the other:
//   m16n16k*  two mma.m16n8k* side by side: both use the same A fragment, and have their own B and C
//   m32n8k*   two mma.m16n8k*, one above the other: both use the same B fragment, and have their own A and C
//   m8n32k*   computed as m32n8k* on the transposed matrices: D^T = B^T x A^T
//   m8n8k*    one mma
// If an f16 fragment has more registers than its mma instructions need, the other registers hold copies.

#include <map>
#include <vector>

#include "models/ptx/matrix_lowering.h"

namespace heddle::ptx {

class WmmaLowering {
 public:
  WmmaLowering(FunctionScope& scope, OperandLowering& operands, MatrixLowering& matrices)
      : scope_(scope), operands_(operands), matrices_(matrices) {}

  void lower(const Statement& s, const Item& item);

 private:
  void load(const Statement& s, const Item& item);
  void multiply(const Statement& s, const Item& item);
  void store(const Statement& s, const Item& item);
  struct Access {
    char role = 'a';       ///< operand of mma: a, b or c
    isa::DataType type{};  ///< type of the elements
    bool tall = true;      ///< true: the mma instructions have 16 rows
    /// true: lines (rows of A and C, columns of B) are one stride apart in memory, and elements of a line are
    /// adjacent; false: elements of a line are one stride apart, and lines are adjacent
    bool lines_stride = true;
    std::vector<int> lines, columns;  ///< first line of each mma fragment; for C also its first column
    int registers = 0;                ///< registers of each mma fragment
    isa::Space space{};
    isa::Guard guard{};
    isa::Operand base{}, stride_bytes{};
    std::map<int, isa::Operand> at{};  ///< computed addresses; key: multiple of the stride
  };
  Access access(const Statement& s, const Item& item, char operand, std::size_t address);
  isa::Operand emit(const Statement& s, isa::Opcode op, isa::DataType type, std::vector<isa::Operand> sources,
                    int bits);
  isa::Operand address(const Statement& s, Access& a, int strides);
  /// Offset of an element from the lane's first element: `strides` times the stride of the matrix in memory,
  /// plus `elements` elements.
  struct Offset {
    int strides, elements;
  };
  Offset offset(const Access& a, std::size_t tile, int number, int e) const;
  isa::Operand load_part(const Statement& s, Access& a, const Offset& at, int bits);
  void store_part(const Statement& s, Access& a, const Offset& at, int bits, const isa::Operand& value);
  std::vector<OperandSyntax> fragment(const Statement& s, std::size_t operand, int used, isa::DataType type,
                                      bool doubled) const;

  FunctionScope& scope_;
  OperandLowering& operands_;
  MatrixLowering& matrices_;
};

}  // namespace heddle::ptx
