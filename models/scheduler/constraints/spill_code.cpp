#include "models/scheduler/constraints/spill_code.h"

#include "models/isa/address_map.h"

namespace heddle {
namespace {

// Creates a spill load or store. Its value does not pass through the upper register levels, because the warp
// may be descheduled after the instruction.
isa::Instruction access(isa::Opcode op, std::uint64_t offset) {
  isa::Instruction i;
  i.op = op;
  i.type = i.source_type = isa::DataType::b32;
  i.memory.space = isa::Space::local;
  i.overhead = true;
  i.stand_alone();
  i.add_src(isa::Operand::make_immediate(isa::kLocalWindow + offset, 64));
  classify(i);
  return i;
}

}  // namespace

isa::Program with_spill_code(const isa::Program& program) {
  isa::Program with = program;
  for (const isa::Opcode op : {isa::Opcode::st, isa::Opcode::ld})
    for (std::uint32_t r = 0; r < program.registers; ++r) {
      isa::Instruction i = access(op, program.local_bytes + 4 * r);
      if (op == isa::Opcode::st)
        i.add_src(isa::Operand::make_reg(RegId(r), 32));
      else
        i.add_dst(isa::Operand::make_reg(RegId(r), 32));
      with.code.push_back(i);
    }
  isa::Instruction end;
  end.op = isa::Opcode::exit;
  end.stand_alone();
  classify(end);
  with.code.push_back(end);
  if (!with.labels.empty()) with.labels.resize(with.code.size());
  with.local_bytes = local_bytes_with_spill_code(program);
  return with;
}

}  // namespace heddle
