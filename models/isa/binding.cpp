#include "models/core/error.h"
#include "models/isa/lane_operands.h"
#include "models/isa/operand_shape.h"
#include "models/isa/program.h"

namespace heddle::isa {
namespace {

bool has_arithmetic(const Instruction& i) {
  return i.unit != UnitClass::control && i.unit != UnitClass::ldst && !i.metadata;
}

std::string location_of(const Program& program, const Instruction& i) {
  return program.file + ":" + std::to_string(i.location.ptx_line) + ":" +
         std::to_string(i.location.ptx_column);
}

}  // namespace

void bind_lane_functions(Program& program) {
  for (Instruction& i : program.code) {
    if (!has_arithmetic(i)) continue;
    i.lane_function = find_lane_function(i);
    if (i.lane_function == nullptr)
      throw Error(location_of(program, i), "no arithmetic for \"" + to_string(i) + "\"",
                  "operations, types and modifiers that PTX defines for each other");
    if (const std::string fault = find_operand_fault(i); !fault.empty())
      throw Error(location_of(program, i), "\"" + to_string(i) + "\": " + fault);
  }
}

}  // namespace heddle::isa
