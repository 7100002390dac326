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
  const int count = static_cast<int>(waiting.size()), begin = in_turn_ ? turn : 0;
  // Those from `begin` on, then those before it.
  const std::uint64_t turned = (std::uint64_t{awake} | std::uint64_t{awake} << count) >> begin;
  for (std::uint64_t rest = turned & ((std::uint64_t{1} << count) - 1); rest; rest &= rest - 1) {
    int i = std::countr_zero(rest) + begin;
    if (i >= count) i -= count;
    const int waits = waiting[static_cast<std::size_t>(i)];
    if (waits >= fewest) continue;
    best = i;
    fewest = waits;
  }
  turn = best + 1 == count ? 0 : best + 1;
  return best;
}

}  // namespace heddle
