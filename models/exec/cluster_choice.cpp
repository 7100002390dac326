#include "models/exec/cluster_choice.h"

#include <algorithm>

namespace heddle {

ClusterChoice::ClusterChoice(const UnitParameters& parameters)
    : in_turn_(parameters.cluster_choice == "in-turn") {
  units_[index_of(isa::UnitClass::int_)] = units_[index_of(isa::UnitClass::fp)] =
      static_cast<std::uint32_t>(parameters.clusters);
  units_[index_of(isa::UnitClass::sfu)] = static_cast<std::uint32_t>(parameters.sfu_units);
  if (parameters.shared_dispatch_port)
    port_[index_of(isa::UnitClass::fp)] = port_[index_of(isa::UnitClass::int_)];
}

// The unit with the lowest rank is chosen. The rank is the number of waiting instructions and, among equals,
// the distance from the first unit in turn.
int ClusterChoice::choose(isa::UnitClass unit, UnitSet able) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const Waiting& waiting = waiting_[port_[index_of(unit)]];
  const std::uint32_t units = units_[index_of(unit)];
  std::uint32_t& turn = turn_[index_of(unit)];
  const std::uint32_t first = in_turn_ ? turn : 0;
  std::uint32_t least = kNone;
  for (std::uint32_t u = 0; u < units; ++u) {
    const std::uint32_t rank = waiting[u] * kMostUnits + (u - first) % kMostUnits;
    least = std::min(least, able >> u & 1 ? rank : kNone);
  }
  const std::uint32_t chosen = least == kNone ? kNone : (least + first) % kMostUnits;
  turn = chosen + 1 == units ? 0 : chosen + 1;
  return static_cast<int>(chosen);
}

}  // namespace heddle
