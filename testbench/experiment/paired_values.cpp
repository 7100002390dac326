#include "testbench/experiment/paired_values.h"

#include <fmt/format.h>

namespace heddle::experiment {
namespace {

estimate::PairedRun paired_run(const PointValues& values) {
  estimate::PairedRun run;
  const auto at = [&](std::size_t place, const char* key) {
    const double* found = values.find(fmt::format("paired.{}.{}", place, key));
    return found ? *found : 0;
  };
  const double *cycles = values.find("cycles"), *high = values.find("estimate.cycles.high");
  if (!cycles || !high) return run;
  run.cycles = *cycles;
  run.half = *high / *cycles - 1;
  for (std::size_t i = 0; values.find(fmt::format("paired.{}.cycles", i)); ++i)
    run.places.push_back({static_cast<std::uint32_t>(at(i, "launch")),
                          static_cast<std::uint64_t>(at(i, "first_cta")),
                          static_cast<std::uint64_t>(at(i, "ctas")), static_cast<Cycle>(at(i, "cycles")),
                          static_cast<std::uint64_t>(at(i, "instructions")), at(i, "stands_for")});
  return run;
}

}  // namespace

std::optional<estimate::PairedDifference> paired_difference(const PointValues& first,
                                                            const PointValues& other) {
  const estimate::PairedRun a = paired_run(first), b = paired_run(other);
  if (a.places.empty() || b.places.empty()) return std::nullopt;
  return estimate::paired_difference(a, b);
}

}  // namespace heddle::experiment
