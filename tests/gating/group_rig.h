#pragma once

// A group of power domains driven cycle by cycle, as the issue stage does it.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/core/stats.h"
#include "models/gating/domain_group.h"

namespace heddle::gating_tests {

struct Times {
  int idle_detect = 5, break_even = 14, wake_up = 3;
};

inline UnitGatingParameters parameters_of(const std::string& policy, const Times& times) {
  UnitGatingParameters parameters;
  parameters.policy = parse_config_text(policy, "test");
  parameters.idle_detect_cycles = times.idle_detect;
  parameters.break_even_cycles = times.break_even;
  parameters.wake_up_cycles = times.wake_up;
  return parameters;
}

class GroupRig {
 public:
  GroupRig(const UnitGatingParameters& parameters, int domains, bool every_cycle = false)
      : group({"unit", domains, parameters, every_cycle, StatsScope(registry, "test")}) {
    group.begin(0);
  }

  /// Cycle `now` with the domains of `use` in use and these inputs; the states are those of this cycle.
  void cycle(DomainSet use, int waiting, int demand) {
    group.advance(now);
    const DomainSet before = group.in_use();
    for (int i = 0; i < group.size(); ++i) {
      const DomainSet bit = DomainSet{1} << i;
      if (before & ~use & bit) group.left(now, i);
      if (use & ~before & bit) group.use(now, i);
    }
    group.set_inputs(now, waiting, demand);
    ++now;
  }
  PowerState state(int domain) const { return group.domain(domain).state; }
  std::uint64_t count(const std::string& name) const {
    for (const CounterInfo& info : registry.counters())
      if (info.full_name() == "test." + name) return info.counter->value();
    ADD_FAILURE() << "no counter " << name;
    return 0;
  }

  StatsRegistry registry;
  DomainGroup group;
  Cycle now = 0;
};

}  // namespace heddle::gating_tests
