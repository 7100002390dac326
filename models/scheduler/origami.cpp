// Models the Origami scheduler (Abdel-Majeed 2016, 4.3.2). Instruction types have the priorities of the GATES
// scheduler. Warps with an INT or FP instruction form two groups: warps whose lanes are all active, and the
// other warps. The preferred group goes first (origami_groups.h).
//
// The paper does not define these rules of the model:
// - If no warp of the preferred group is ready, the other group gets the issue slot. The preference stays
//   until the phase ends.
// - INT and FP do not exchange their priorities when a type's clusters are in blackout, because Origami gates
//   lanes conventionally (4.3.4).
// - LD/ST, SFU and control instructions are in no group, because they are not folded and their lanes are not
//   shifted.

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/scheduler/gates.h"
#include "models/scheduler/origami_groups.h"

namespace heddle {
namespace {

struct OrigamiParameters {
  GatesParameters gates = {{32, "round-robin", false}, {false, 0, false}, "active"};
  OrigamiGroupsParameters groups;
  void fields(FieldVisitor& v) {
    gates.set.fields(v);
    v.field("max_switch_cycles", gates.priority.max_switch_cycles, {0, 1000000},
            "cycles after which INT and FP change priorities while both have active warps (Abdel-Majeed "
            "2016, 3.3); 0: no limit");
    groups.fields(v);
  }
};

class GroupPreference : public WarpPreference {
 public:
  explicit GroupPreference(const OrigamiGroupsParameters& p) : p_(p), groups_(p) {}

  void begin(Cycle now) override {
    begun_ = now;
    begins_ = true;
    if (probe_.attached()) probe_.notify({now, true, now, 0, 0});
  }

  WarpSet first(const SchedulerView& view, WarpSet issuing) override {
    const auto of = [&view](isa::UnitClass unit) { return view.by_unit[static_cast<std::size_t>(unit)]; };
    const WarpSet grouped = (of(isa::UnitClass::int_) | of(isa::UnitClass::fp)) & issuing;
    const WarpSet full = grouped & view.full, partial = grouped & ~view.full;
    const OrigamiGroupsInputs in{view.now, begins_, begun_, full.count(), partial.count()};
    begins_ = false;
    OrigamiGroupsOutputs out = groups_.step(in);
    if (probe_.attached()) probe_.answered(in, out);
    return out.full_first ? full : partial;
  }

  void probes(const ProbeScope& scope) override { scope.add(probe_); }

 private:
  OrigamiGroupsParameters p_;
  OrigamiGroups groups_;
  Probe<OrigamiGroupsPoint> probe_{p_};
  Cycle begun_ = 0;
  bool begins_ = true;
};

const struct Registered {
  Registered() {
    Registry<SchedulerPolicy>::instance().add(
        {"origami",
         "gates; within one type, warps with all lanes active and other warps form two groups",
         [](const ConfigNode& node, SchedulerContext& context) {
           OrigamiParameters p;
           read_fields(node, p);
           return make_gates(p.gates, context, std::make_unique<GroupPreference>(p.groups));
         },
         [] { return describe_fields<OrigamiParameters>(); },
         {.properties = {"announces-descheduling"}}});
  }
} registered;

}  // namespace
const Arrays<SchedulerPolicy> origami_arrays{
    "origami",
    {{"active and pending warps", "warps", "2", "1R1W", {}},
     {"masks of warps by type", "4 * schedulers", "active", "1R1W", {"execution.origami_groups"}}}};

}  // namespace heddle
