// A program must be refused if the machine lacks the arithmetic of an instruction, or if an operand is
// missing. The error must contain the position and the text of the instruction.

#include "models/core/error.h"
#include "models/isa/program.h"
#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

Program program_of(Instruction i) {
  classify(i);
  i.location.ptx_line = 12;
  i.location.ptx_column = 5;
  Program p;
  p.file = "a.ptx";
  p.code = {i};
  return p;
}
Instruction add(DataType type, int bits) {
  Instruction i;
  i.op = Opcode::add;
  i.type = i.source_type = type;
  i.add_dst(Operand::make_reg(RegId(0), bits));
  i.add_src(Operand::make_reg(RegId(2), bits));
  i.add_src(Operand::make_immediate(1, bits));
  return i;
}
std::string refusal(const Instruction& i) {
  Program p = program_of(i);
  try {
    bind_lane_functions(p);
  } catch (const Error& e) {
    return e.what();
  }
  return {};
}

TEST(Binding, GivesEveryInstructionItsFunction) {
  Program p = program_of(add(DataType::s32, 32));
  bind_lane_functions(p);
  EXPECT_EQ(p.code[0].lane_function, find_lane_function(p.code[0]));
  EXPECT_NE(p.code[0].lane_function, nullptr);
}

TEST(Binding, LeavesMemoryAndControlAlone) {
  Instruction i;
  i.op = Opcode::exit;
  Program p = program_of(i);
  bind_lane_functions(p);
  EXPECT_EQ(p.code[0].lane_function, nullptr);
}

TEST(Binding, RefusesFormsThatPtxDoesNotHave) {
  Instruction i = add(DataType::f64, 64);
  i.modifiers.sat = true;
  const std::string text = refusal(i);
  EXPECT_NE(text.find("a.ptx:12:5"), std::string::npos) << text;
  EXPECT_NE(text.find("add.sat.f64 rd0, rd2"), std::string::npos) << text;
}

TEST(Binding, RefusesMissingAndNarrowOperands) {
  EXPECT_EQ(refusal(add(DataType::u64, 64)), "");
  Instruction narrow = add(DataType::u64, 64);
  narrow.src[0].bits = 32;
  EXPECT_NE(refusal(narrow).find("source 1 is not a 64-bit operand"), std::string::npos) << refusal(narrow);
  Instruction missing = add(DataType::u32, 32);
  missing.num_src = 1;
  EXPECT_NE(refusal(missing).find("1 sources instead of 2"), std::string::npos) << refusal(missing);
  Instruction predicate = add(DataType::u32, 32);
  predicate.src[1] = Operand::make_pred(PredId(0));
  EXPECT_NE(refusal(predicate).find("source 2 is not an operand"), std::string::npos) << refusal(predicate);
}

}  // namespace
}  // namespace heddle::isa::test
