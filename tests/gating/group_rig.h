#pragma once

// Drives a group of power domains cycle by cycle, in the same way as the issue stage.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/gating/issue_wakes.h"

namespace heddle::gating_tests {

struct Times {
  int idle_detect = 5, break_even = 14, wake_up = 3;
};

inline DomainGroupParameters parameters_of(const std::string& policy, const Times& times) {
  DomainGroupParameters parameters;
  parameters.policy = parse_config_text(policy, "test");
  parameters.idle_detect_cycles = times.idle_detect;
  parameters.break_even_cycles = times.break_even;
  parameters.wake_up_cycles = times.wake_up;
  return parameters;
}

class GroupRig {
 public:
  GroupRig(const DomainGroupParameters& parameters, int domains, bool every_cycle = false,
           DomainKind kind = DomainKind::alternatives, bool issue_wakes = false)
      : owned(make({"unit", domains, parameters, every_cycle, StatsScope(registry, "test"), kind},
                   issue_wakes)),
        group(*owned) {
    group.begin(0);
  }

  void cycle(DomainSet use, const DomainInputs& inputs) {
    group.advance(now);
    const DomainSet before = group.in_use();
    group.left(now, before & ~use);
    group.use(now, use & ~before, own_cycles == 0 ? kNever : now + own_cycles);
    group.set_inputs(now, inputs);
    ++now;
  }
  void cycle(DomainSet use, int waiting, int demand) { cycle(use, DomainInputs{waiting, demand, 0, 0}); }
  PowerState state(int domain) const { return group.domain(domain).state; }
  std::uint64_t count(const std::string& name) const {
    for (const CounterInfo& info : registry.counters())
      if (info.full_name() == "test." + name) return info.counter->value();
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

  static std::unique_ptr<DomainGroup> make(const DomainGroupWiring& wiring, bool issue_wakes) {
    return issue_wakes ? make_waking_group(wiring) : std::make_unique<DomainGroup>(wiring);
  }

  StatsRegistry registry;
  std::unique_ptr<DomainGroup> owned;
  DomainGroup& group;
  Cycle now = 0;
  /// cycles for which an instruction occupies its domain; 0: until the instruction leaves the domain
  Cycle own_cycles = 0;
};

}  // namespace heddle::gating_tests
