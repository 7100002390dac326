#include "models/exec/cluster_choice.h"

#include <bit>
#include <limits>

namespace heddle {

ClusterChoice::ClusterChoice(const UnitParameters& parameters)
    : shared_port_(parameters.shared_dispatch_port), in_turn_(parameters.cluster_choice == "in-turn") {
  const auto clusters = static_cast<std::size_t>(parameters.clusters);
  waiting_[static_cast<std::size_t>(isa::UnitClass::int_)].resize(clusters);
  waiting_[static_cast<std::size_t>(isa::UnitClass::fp)].resize(clusters);
  waiting_[static_cast<std::size_t>(isa::UnitClass::sfu)].resize(
      static_cast<std::size_t>(parameters.sfu_units));
}

int ClusterChoice::choose(isa::UnitClass unit, DomainSet awake) {
  const std::vector<int>& waiting = waiting_[port_of(unit)];
  int& turn = turn_[static_cast<std::size_t>(unit)];
  int best = -1, fewest = std::numeric_limits<int>::max();
  const DomainSet first = in_turn_ ? awake & (~DomainSet{0} << turn) : awake;
  for (DomainSet some : {first, awake & ~first})
    for (; some; some &= some - 1) {
      const int i = std::countr_zero(some);
      const int waits = waiting[static_cast<std::size_t>(i)];
      if (waits >= fewest) continue;
      best = i;
      fewest = waits;
    }
  turn = best + 1 == static_cast<int>(waiting.size()) ? 0 : best + 1;
  return best;
}

}  // namespace heddle
