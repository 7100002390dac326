// Compares rtl/gating_unit.v with the model's gating of a group of power domains. The group's policy must be
// one that the block implements.

#include <charconv>

#include "models/core/registry.h"
#include "models/gating/domain_group.h"
#include "testbench/cosim/block.h"
#include "testbench/cosim/catalogue.h"

namespace heddle::cosim::gating_unit_block {
namespace {

constexpr std::pair<const char*, int> kModes[] = {
    {"conventional", 0},
    {"naive-blackout", 1},
    {"coordinated-blackout", 2},
};

ConfigNode parameter_of(const ConfigNode& choice, const std::string& name) {
  const ConfigNode parameters = choice_parameters(choice);
  if (const ConfigNode* chosen = parameters.find(name)) return chosen->unwrapped();
  for (const FieldInfo& field : Registry<GatingPolicy>::instance().find(choice).describe()) {
    if (field.path != name) continue;
    std::int64_t number = 0;
    const std::string& text = field.default_value;
    const auto end = text.data() + text.size();
    return std::from_chars(text.data(), end, number).ptr == end ? ConfigNode::make_integer(number)
                                                                : ConfigNode::make_string(text);
  }
  throw InternalError(fmt::format("gating policy {} has no parameter {}", choice_name(choice), name));
}

std::uint64_t number_of(const ConfigNode& choice, const char* name) {
  return static_cast<std::uint64_t>(parameter_of(choice, name).integer);
}

bool is_adaptive(const DomainGroup& group) {
  return choice_name(group.wiring().parameters.policy) == "adaptive";
}

/// Returns name and Verilog mode of the gating policy of a group of power domains; nullptr if the block does
/// not implement the policy.
const std::pair<const char*, int>* mode_of(const DomainGroup& group) {
  const ConfigNode& policy = group.wiring().parameters.policy;
  const std::string name = choice_name(is_adaptive(group) ? parameter_of(policy, "base") : policy);
  for (const auto& mode : kModes)
    if (name == mode.first) return &mode;
  return nullptr;
}

BlockFit fits(const DomainGroup& group) {
  if (group.policy().never_gates()) return {{}, "it never gates"};
  if (group.wiring().kind == DomainKind::parts) return {.for_others = true};
  if (!mode_of(group)) return {{}, "there is no RTL of this policy"};
  return {{{"CLUSTERS", group.wiring().domains}}, ""};
}

void settings(BlockTable<GatingPoint>& t, const DomainGroup& group) {
  const DomainGroupParameters& p = group.wiring().parameters;
  const auto detect = static_cast<std::uint64_t>(p.idle_detect_cycles);
  const bool adaptive = is_adaptive(group);
  const auto adaptive_number = [&](const char* name, std::uint64_t otherwise) {
    return adaptive ? number_of(p.policy, name) : otherwise;
  };
  t.setting("mode", static_cast<std::uint64_t>(mode_of(group)->second));
  t.setting("adaptive", adaptive);
  t.setting("idle_detect_initial", detect);
  t.setting("idle_detect_low", adaptive_number("lowest", detect));
  t.setting("idle_detect_high", adaptive_number("highest", detect));
  t.setting("break_even", static_cast<std::uint64_t>(p.break_even_cycles));
  t.setting("wake_up_time", static_cast<std::uint64_t>(p.wake_up_cycles));
  t.setting("epoch_cycles", adaptive_number("epoch_cycles", 1));
  t.setting("threshold", adaptive_number("threshold", 0));
  t.setting("calm_epochs", adaptive_number("calm_epochs", 1));
  const ConfigNode base = adaptive ? parameter_of(p.policy, "base") : p.policy;
  t.setting("at_break_even", group.policy().wakes_at_break_even());
  t.setting("sibling_wake_cycles", number_of(base, "sibling_wake_cycles"));
  t.setting("by_issue", group.takes_asleep());
}

void table(BlockTable<GatingPoint>& t, const DomainGroup& group) {
  using View = GatingProbeView;
  settings(t, group);

  t.input("begin_kernel", [](const View& v) { return v.begins; });
  t.input("in_use", [](const View& v) {
    DomainSet set = 0;
    for (std::size_t i = 0; i < v.group.domains.size(); ++i)
      if (v.group.domains[i].in_use()) set |= DomainSet{1} << i;
    return set;
  });
  t.input("busy", [](const View& v) {
    DomainSet set = 0;
    for (std::size_t i = 0; i < v.group.domains.size(); ++i)
      if (v.group.domains[i].busy(v.now)) set |= DomainSet{1} << i;
    return set;
  });
  t.input("waiting", [](const View& v) { return v.group.waiting; });
  t.input("demand", [](const View& v) { return v.group.demand; });
  t.input("called", [](const View& v) { return v.group.asked; });

  t.output("state",
           [](const View& v, const GatingDecision&) {
             Elements states;
             for (const DomainView& domain : v.group.domains)
               states.add(static_cast<std::uint64_t>(domain.state));
             return states;
           })
      .named({name_of(PowerState::on), name_of(PowerState::uncompensated), name_of(PowerState::compensated),
              name_of(PowerState::wake_up)});
  t.output("idle_detect",
           [&group](const View&, const GatingDecision&) { return group.policy().idle_detect_cycles(); });
  t.output(
      "sleep", [](const View&, const GatingDecision& d) { return d.sleep; },
      [](const View&, GatingDecision& d, DomainSet sleep) { d.sleep = sleep; });
  t.output(
      "wake", [](const View&, const GatingDecision& d) { return d.wake; },
      [](const View&, GatingDecision& d, DomainSet wake) { d.wake = wake; });

  const auto of_clusters = [&group](const char* name) {
    std::vector<std::string> names;
    for (int i = 0; i < group.wiring().domains; ++i) names.push_back(fmt::format("cluster{}.{}", i, name));
    return names;
  };
  t.waves("state", of_clusters("power"), true);
  t.waves("timer", of_clusters("timer"));
  t.waves("idle_count", of_clusters("idle_count"));
  for (const char* port : {"idle_detect", "epoch_count", "critical_count"}) t.wave(port, port);
}

const Block<GatingPoint> block{{"gating_unit", "groups of power domains", Clocking::per_cycle, fits, table}};

const ReportRegistration report{
    "gating_unit",
    {{"cluster_gate", "cluster_gate", {}, "one domain: idle-detect, blackout and wake-up"},
     {"gating_controller", "gating_controller", {{"CLUSTERS", 2}}, "two domains, all three policies"},
     {"adaptive_idle_detect",
      "adaptive_idle_detect",
      {{"CLUSTERS", 2}},
      "critical wake-ups, idle-detect register"},
     {"gating_unit",
      "gating_unit",
      {{"CLUSTERS", 2}, {"WAITING_W", 6}},
      "controller and adaptive idle-detect"},
     {"gating_unit_1",
      "gating_unit",
      {{"CLUSTERS", 1}, {"WAITING_W", 7}, {"DEMAND_W", 4}},
      "the same for one domain"},
     {"gating_unit_6",
      "gating_unit",
      {{"CLUSTERS", 6}, {"WAITING_W", 7}, {"DEMAND_W", 4}},
      "the same for six (Kepler)"}}};

}  // namespace
}  // namespace heddle::cosim::gating_unit_block
