// Compares rtl/lane_gates.v, which contains lane_counters.v, with the model's gating of an INT or FP pipeline
// in which each lane is a power domain.

#include "models/gating/domain_group.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::lane_gates_block {
namespace {

using View = GatingProbeView;

bool is_conventional(const ConfigNode& policy) {
  if (choice_name(policy) == "conventional") return true;
  if (choice_name(policy) != "eager") return false;
  const ConfigNode parameters = choice_parameters(policy);
  const ConfigNode* base = parameters.find("base");
  return !base || choice_name(base->unwrapped()) == "conventional";
}

BlockFit fits(const DomainGroup& group) {
  if (group.policy().never_gates()) return {{}, "it never gates"};
  if (group.wiring().kind != DomainKind::parts) return {.for_others = true};
  if (!is_conventional(group.wiring().parameters.policy))
    return {{}, "there is no RTL of this policy over lanes"};
  return {{{"LANES", group.wiring().domains}}, ""};
}

template <class Of>
DomainSet set_of(const View& v, Of of) {
  DomainSet set = 0;
  for (std::size_t i = 0; i < v.group.domains.size(); ++i)
    if (of(v.group.domains[i])) set |= DomainSet{1} << i;
  return set;
}

void table(BlockTable<GatingPoint>& t, const DomainGroup& group) {
  const DomainGroupParameters& p = group.wiring().parameters;
  const bool eager = choice_name(p.policy) == "eager";
  t.setting("idle_detect", static_cast<std::uint64_t>(p.idle_detect_cycles));
  t.setting("break_even", static_cast<std::uint64_t>(p.break_even_cycles));
  t.setting("wake_up_time", static_cast<std::uint64_t>(p.wake_up_cycles));
  t.input("begin_kernel", [](const View& v) { return v.begins; });
  t.input("in_use", [](const View& v) { return set_of(v, [](const DomainView& d) { return d.in_use(); }); });
  t.input("busy",
          [](const View& v) { return set_of(v, [&v](const DomainView& d) { return d.busy(v.now); }); });
  t.input("wanted", [](const View& v) { return v.group.wanted; });
  t.input("asked", [](const View& v) { return v.group.asked; });
  t.input("spared", [eager](const View& v) { return eager ? v.group.spared : DomainSet{0}; });
  t.output("state",
           [](const View& v, const GatingDecision&) {
             Elements states;
             for (const DomainView& domain : v.group.domains)
               states.add(static_cast<std::uint64_t>(domain.state));
             return states;
           })
      .named({name_of(PowerState::on), name_of(PowerState::uncompensated), name_of(PowerState::compensated),
              name_of(PowerState::wake_up)});
  t.output(
      "sleep", [](const View&, const GatingDecision& d) { return d.sleep; },
      [](const View&, GatingDecision& d, DomainSet sleep) { d.sleep = sleep; });
  t.output(
      "wake", [](const View&, const GatingDecision& d) { return d.wake; },
      [](const View&, GatingDecision& d, DomainSet wake) { d.wake = wake; });
}

const Block<GatingPoint> block{
    {"lane_gates", "lanes that are gated by themselves", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "lane_gates",
    {{"lane_counters", "lane_counters", {}, "idle counters of 32 lanes, 3 bits each"},
     {"lane_gates", "lane_gates", {}, "the same with the controllers of the lanes' sleep transistors"}}};

}  // namespace
}  // namespace heddle::cosim::lane_gates_block
