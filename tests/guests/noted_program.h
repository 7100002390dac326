#pragma once

// Builds small programs on architected registers, and runs one compiler pass on them. The pass attaches notes
// (data for the hardware) to instructions.

#include <initializer_list>
#include <string>

#include "models/compiler/i_compiler_pass.h"
#include "models/isa/program.h"

namespace heddle::test {

inline isa::Operand register_operand(int reg) {
  return isa::Operand::make_reg(RegId(static_cast<std::uint32_t>(reg)), 32);
}

inline isa::Program program_with(std::uint32_t registers, std::uint32_t predicates = 0) {
  isa::Program program;
  program.kernel = program.file = "test";
  program.architected = true;
  program.registers = registers;
  program.predicates = predicates;
  return program;
}

inline isa::Instruction& add_instruction(isa::Program& program, isa::Opcode op,
                                         std::initializer_list<int> results,
                                         std::initializer_list<int> sources) {
  isa::Instruction i;
  i.op = op;
  i.type = i.source_type = isa::DataType::u32;
  for (const int reg : results) i.add_dst(register_operand(reg));
  for (const int reg : sources) i.add_src(register_operand(reg));
  if (op == isa::Opcode::add && sources.size() == 1) i.add_src(isa::Operand::make_immediate(1, 32));
  classify(i);
  program.code.push_back(i);
  return program.code.back();
}

/// Sets the reconvergence points of the program, and then runs the compiler pass that `json` describes.
inline isa::Program after_pass(const isa::Program& program, const std::string& json) {
  compiler::CompilationUnit unit(program);
  const compiler::PassContext context;
  auto& passes = Registry<compiler::ICompilerPass>::instance();
  passes.make(parse_config_text("\"reconvergence\"", "test"), context)->run(unit);
  unit.reconvergence_changed();
  const auto pass = passes.make(parse_config_text(json, "test"), context);
  pass->run(unit);
  pass->check(unit.program());
  return unit.take();
}

}  // namespace heddle::test
