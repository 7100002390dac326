#include "models/sm/issue_state.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

bool takes_by_lanes(const UnitAvailability& units, int partitions) {
  const auto by_lanes = [](const UnitView& unit) { return unit.lanes != nullptr; };
  for (std::size_t p = 0; p < static_cast<std::size_t>(partitions); ++p)
    if (std::any_of(units.units(p).begin(), units.units(p).end(), by_lanes)) return true;
  return false;
}

}  // namespace

IssueState::IssueState(ClockedModule& module, const IssueWiring& w)
    : stage(module),
      clock(*w.clock),
      parameters(*w.parameters),
      buffers(*w.clock, parameters.max_warps, parameters.front_end.ibuffer_entries,
              w.stats.add("stale", "instructions",
                          "decoded instructions that were dropped after a redirect or the warp's end")),
      life(*w.life),
      warps(parameters.max_warps),
      readiness(warps, buffers),
      releases(*w.clock, warps, parameters.homes(), parameters.max_warps),
      away(*w.clock, warps, buffers, readiness, releases),
      constraints(parameters.constraints, {parameters.max_warps, parameters.max_ctas, parameters.schedulers(),
                                           parameters.partitions, &away, &w.stats}),
      residency(constraints.residency()),
      lanes(warps.slots(), takes_by_lanes(*w.units, parameters.partitions)),
      plans(*w.plans),
      units(*w.units),
      accounts(w.stats, parameters.schedulers(), parameters.issue_width, constraints.reasons()) {
  for (int p = 0; p < parameters.partitions; ++p) {
    IssuePartition& partition = partitions.emplace_back(parameters.units);
    partition.collectors = std::make_unique<InstructionOutlet>(fmt::format("to_collectors{}", p).c_str());
    partition.results = std::make_unique<InstructionOutlet>(fmt::format("to_result_bus{}", p).c_str());
  }
}

WarpSet IssueState::bound() const {
  WarpSet bound;
  for (const IssuePartition& partition : partitions) bound |= partition.slots().bound();
  return bound;
}

std::string IssueState::describe(WarpId id, const std::string& barrier) const {
  const WarpState& warp = warps.state(id);
  const WarpProgress& progress = warps.progress(id);
  if (!warps.taken().contains(id)) return "empty";
  std::string text = fmt::format("CTA {} warp {}: ", warp.context.cta, warp.context.warp_in_cta);
  if (!warps.running().contains(id))
    return text + fmt::format("exited, {} instructions in flight", progress.in_flight);
  const isa::Instruction& at = progress.code[warp.simt.pc()];
  switch (progress.wait) {
    case WarpWait::barrier:
      return text + fmt::format("waits at line {} ({})", warp.waits_at->location.ptx_line, barrier);
    case WarpWait::fence:
      return text + fmt::format("waits for the fence at line {}", warp.waits_at->location.ptx_line);
    case WarpWait::away:
      text += "its registers are in memory or being moved, ";
      break;
    case WarpWait::none:
      break;
  }
  return text + fmt::format("at line {}, {} instructions in flight ({} to memory)", at.location.ptx_line,
                            progress.in_flight, progress.memory_in_flight);
}

WarpActivities IssueState::activities(WarpSet issued) const {
  WarpActivities activities;
  const WarpSets& sets = readiness.sets();
  WarpSet rest = warps.taken();
  const auto take = [&](WarpActivity activity, WarpSet some) {
    activities.add(activity, rest & some);
    rest &= ~some;
  };
  take(WarpActivity::draining, ~warps.running());
  take(WarpActivity::issuing, issued);
  take(WarpActivity::memory, away.warps());
  take(WarpActivity::barrier, sets.at_barrier);
  take(WarpActivity::fence, sets.at_fence);
  take(WarpActivity::fetch, ~sets.has_instruction);
  take(WarpActivity::memory, sets.long_wait);
  take(WarpActivity::dependence, sets.hazard);
  take(WarpActivity::ready, rest);
  return activities;
}

}  // namespace heddle
