#include "models/exec/cluster_choice.h"

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
  const int count = static_cast<int>(waiting.size());
  int& turn = turn_[static_cast<std::size_t>(unit)];
  int best = -1;
  for (int step = 0; step < count; ++step) {
    int i = in_turn_ ? turn + step : step;
    if (i >= count) i -= count;
    if (!(awake >> i & 1)) continue;
    if (best < 0 || waiting[static_cast<std::size_t>(i)] < waiting[static_cast<std::size_t>(best)]) best = i;
  }
  turn = best + 1 == count ? 0 : best + 1;
  return best;
}

}  // namespace heddle
