#pragma once

// Translates instructions on textures and surfaces: look-ups, accesses and queries (PTX ISA 9.0, 9.7.10 and
// 9.7.11).

#include <vector>

#include "models/ptx/operand_lowering.h"
#include "models/ptx/parameter_places.h"

namespace heddle::ptx {

class TextureLowering {
 public:
  TextureLowering(FunctionScope& scope, OperandLowering& operands, ParameterPlaces& places)
      : scope_(scope), operands_(operands), places_(places) {}

  void look_up(const Statement& s, Item item);
  void query(const Statement& s, Item item);
  void test_opaque_type(const Statement& s, Item item);
  void access_surface(const Statement& s, Item item);

 private:
  void trap_outside(const Statement& s, const isa::Guard& guard, const isa::Operand& inside);
  const OperandSyntax& opaque_operand(const Statement& s, std::size_t number, std::size_t items) const;
  isa::Operand handle(const Statement& s, const OperandSyntax& o);
  std::vector<isa::Operand> coordinates(const Statement& s, const OperandSyntax& o, bool layer,
                                        std::size_t count, isa::DataType type);
  std::vector<isa::Operand> load_header(const Statement& s, const isa::Operand& handle,
                                        const isa::Guard& guard, isa::DataType type, std::size_t at,
                                        std::size_t count);
  isa::Operand emit_compare(const Statement& s, isa::Compare compare, isa::DataType type,
                            const isa::Operand& a, const isa::Operand& b, const isa::Operand* also);
  /// Emits code that computes the byte address of a surface access. Sets `inside` to a predicate that is true
  /// if the access lies within the surface. With .clamp, every access lies within the surface, so `inside`
  /// stays unset.
  isa::Operand surface_address(const Statement& s, const isa::Instruction& i, isa::Operand& inside);

  FunctionScope& scope_;
  OperandLowering& operands_;
  ParameterPlaces& places_;
};

}  // namespace heddle::ptx
