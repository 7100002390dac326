// Compares rtl/gates_unit.v with how the model's scheduler `gates` chooses the type of instructions that has
// priority.

#include <algorithm>
#include <bit>

#include "models/scheduler/gates_priority.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::gates_unit_block {
namespace {

/// Numbers of active and ready instructions in the previous cycle, by type of unit. In each cycle, the block
/// receives how many instructions have become active or ready, and how many are no longer active or ready.
/// The port table computes these inputs from the changes of the numbers.
struct Counts {
  std::array<int, 2> active{};
  std::array<int, 4> ready{};
};

template <std::size_t n>
std::array<int, n> grown(const std::array<int, n>& from, const std::array<int, n>& to) {
  std::array<int, n> difference{};
  for (std::size_t i = 0; i < n; ++i) difference[i] = std::max(0, to[i] - from[i]);
  return difference;
}

void table(BlockTable<GatesPoint>& t, const GatesPriorityParameters& parameters) {
  t.setting("switch_on_blackout", parameters.switch_on_blackout);
  t.setting("max_switch_cycles", static_cast<std::uint64_t>(parameters.max_switch_cycles));
  t.setting("switch_on_no_ready", parameters.switch_on_no_ready);

  // Each call adds an input of the block to the port table. The functions of the inputs run in the order of
  // the table. Those of `..._leave` also store the new counts in `held`, so each must follow that of
  // `..._enter`, which needs the old counts.
  const auto held = std::make_shared<Counts>();
  t.entering("active_enter", [held](const GatesInputs& in) { return grown(held->active, in.active); });
  t.entering("active_leave", [held](const GatesInputs& in) {
    return grown(in.active, std::exchange(held->active, in.active));
  });
  t.entering("ready_enter", [held](const GatesInputs& in) { return grown(held->ready, in.ready); });
  t.entering("ready_leave",
             [held](const GatesInputs& in) { return grown(in.ready, std::exchange(held->ready, in.ready)); });
  t.held("slots", [](const GatesInputs& in) { return in.slots; });
  t.held("awake", [](const GatesInputs& in) { return in.awake; });
  t.held("blackout", [](const GatesInputs& in) { return in.blackout; });

  t.output(
       "fp_highest",
       [](const GatesInputs&, const GatesOutputs& out) { return out.highest == isa::UnitClass::fp; },
       [](const GatesInputs&, GatesOutputs& out, bool fp) {
         out.highest = fp ? isa::UnitClass::fp : isa::UnitClass::int_;
       })
      .named({"no", "yes"});
  t.output(
      "slot_used", [](const GatesInputs&, const GatesOutputs& out) { return (1 << out.count) - 1; },
      [](const GatesInputs&, GatesOutputs& out, int used) {
        out.count = std::popcount(static_cast<unsigned>(used));
      });
  t.output<std::array<isa::UnitClass, 4>>(
       "slot_type",
       [](const GatesInputs&, const GatesOutputs& out) {
         std::array<isa::UnitClass, 4> types{};
         std::copy_n(out.slots.begin(), out.count, types.begin());
         return types;
       },
       [](const GatesInputs&, GatesOutputs& out, const std::array<isa::UnitClass, 4>& types) {
         out.slots = types;
       })
      .named({"INT", "FP", "SFU", "LDST"});

  t.wave("fp_highest", "fp_highest");
  t.waves("active", {"int_actv", "fp_actv"});
  t.waves("ready", {"int_rdy", "fp_rdy", "sfu_rdy", "ldst_rdy"});
}

const Block<GatesPoint> block{{"gates_unit", "GATES priority logics", Clocking::per_cycle,
                               [](const GatesPriorityParameters&) { return BlockFit{}; }, table}};

const ReportRegistration report{"gates_unit",
                                {{"type_counters", "type_counters", {}, "six counters of 6 bits"},
                                 {"gates_priority", "gates_priority", {}, "priority logic, two issue slots"},
                                 {"gates_unit", "gates_unit", {}, "counters and priority logic"}}};

}  // namespace
}  // namespace heddle::cosim::gates_unit_block
