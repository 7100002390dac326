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

}  // namespace heddle
