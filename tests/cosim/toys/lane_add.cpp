// Connects the Verilog block lane_add.v to the INT units, for 32-bit additions.

#include "models/exec/execution_unit.h"
#include "testbench/cosim/block.h"
#include "tests/cosim/toys/toys.h"

namespace heddle::cosim::lane_add {
namespace {

bool is_addition(const UnitProbeView& v) {
  const isa::Instruction& i = *v.item.instruction;
  const bool word = i.type == isa::DataType::u32 || i.type == isa::DataType::s32;
  return i.op == isa::Opcode::add && word && v.item.operands.dst[0][0] != nullptr;
}

void table(BlockTable<UnitPoint>& t, const ExecutionUnit&) {
  t.only(is_addition);
  t.input("a", [](const UnitProbeView& v) { return *v.item.operands.src[0][0]; });
  t.input("b", [](const UnitProbeView& v) { return *v.item.operands.src[1][0]; });
  t.input("active", [](const UnitProbeView& v) { return v.item.mask; });
  t.output<LaneVec>(
      "sum",
      [](const UnitProbeView& v, const isa::LaneOperands& result) {
        return Elements(*result.dst[0][0], v.item.mask);
      },
      [](const UnitProbeView& v, isa::LaneOperands& result, const LaneVec& sum) {
        merge_lanes(*result.dst[0][0], sum, v.item.mask);
      });
  const auto additions = std::make_shared<std::uint32_t>(0);
  t.output("count", [additions](const UnitProbeView&, const isa::LaneOperands&) { return (*additions)++; });
}

BlockFit fits(const ExecutionUnit& unit) {
  const bool wanted = toys_wanted() && unit.unit_class() == isa::UnitClass::int_;
  return {{}, wanted ? "" : "no toys are wanted here"};
}

const Block<UnitPoint> block{{"lane_add", "units that add", Clocking::per_event, fits, table}};

}  // namespace
}  // namespace heddle::cosim::lane_add
