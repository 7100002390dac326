#include "models/exec/cluster_choice.h"

#include <algorithm>
#include <bit>

namespace heddle {

ClusterChoice::ClusterChoice(const UnitParameters& parameters)
    : in_turn_(parameters.cluster_choice == "in-turn") {
  units_[index_of(isa::UnitClass::int_)] = units_[index_of(isa::UnitClass::fp)] =
      static_cast<std::uint32_t>(parameters.clusters);
  units_[index_of(isa::UnitClass::sfu)] = static_cast<std::uint32_t>(parameters.sfu_units);
  units_[index_of(isa::UnitClass::matrix)] = static_cast<std::uint32_t>(parameters.matrix.units);
  if (parameters.shared_dispatch_port)
    port_[index_of(isa::UnitClass::fp)] = port_[index_of(isa::UnitClass::int_)];
}

int ClusterChoice::choose(isa::UnitClass unit, UnitSet able) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const Waiting& waiting = waiting_[port_[index_of(unit)]];
  std::uint32_t& turn = turn_[index_of(unit)];
  const std::uint32_t first = in_turn_ ? turn : 0;
  std::uint32_t least = kNone;
  for (UnitSet rest = able; rest != 0; rest &= rest - 1) {
    const auto u = static_cast<std::uint32_t>(std::countr_zero(rest));
    least = std::min(least, waiting[u] * kMostUnits + (u - first) % kMostUnits);
  }
  const std::uint32_t chosen = least == kNone ? kNone : (least + first) % kMostUnits;
  turn = chosen + 1 == units_[index_of(unit)] ? 0 : chosen + 1;
  return static_cast<int>(chosen);
}

}  // namespace heddle
