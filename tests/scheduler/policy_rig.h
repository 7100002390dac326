#pragma once

// Runs a scheduling policy without an SM. The test sets the view of warps that the policy receives.

#include <array>
#include <memory>
#include <vector>

#include "models/core/indexed_vector.h"
#include "models/core/registry.h"
#include "models/scheduler/i_scheduler_policy.h"

namespace heddle {

class PolicyRig {
 public:
  PolicyRig(const ConfigNode& choice, WarpSet mine, int width) {
    SchedulerContext context{64, mine, width};
    policy = Registry<SchedulerPolicy>::instance().make(choice, context);
    for (std::size_t w = 0; w < warps.size(); ++w) warps[w] = {w, isa::UnitClass::int_};
    view.units.fill({1, 1, 0});
    view.warps = warps;
    view.resident = view.has_instruction = view.drained = mine;
  }
  explicit PolicyRig(const std::string& json, WarpSet mine = 0xff, int width = 1)
      : PolicyRig(parse_config_text(json, "test"), mine, width) {}

  /// Runs one cycle and returns the warps in the order in which the policy picked them. `ready_second`: warps
  /// that may also issue a second instruction. The unit of each warp's instruction comes from `warps`.
  std::vector<std::uint32_t> choose(WarpSet ready, WarpSet ready_second = 0) {
    view.ready = ready;
    view.ready_second = ready_second;
    view.by_unit = {};
    for (std::size_t w = 0; w < warps.size(); ++w)
      view.by_unit[static_cast<std::size_t>(warps[w].unit)] |=
          view.has_instruction & bit_of(key_at<WarpId>(w));
    PickList picks;
    again = policy->choose(view, picks);
    ++view.now;
    std::vector<std::uint32_t> picked;
    for (const Pick& pick : picks) picked.push_back(pick.warp.value);
    return picked;
  }

  std::array<WarpView, 64> warps{};
  SchedulerView view;
  std::unique_ptr<SchedulerPolicy> policy;
  /// true if the policy must be called again in the next cycle
  bool again = false;
};

}  // namespace heddle
