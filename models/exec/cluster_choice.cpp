#include "models/exec/cluster_choice.h"

namespace heddle {

ClusterChoice::ClusterChoice(const UnitParameters& parameters)
    : shared_port_(parameters.shared_dispatch_port), in_turn_(parameters.cluster_choice == "in-turn") {
  ports_[static_cast<std::size_t>(isa::UnitClass::int_)].set_units(parameters.clusters);
  ports_[static_cast<std::size_t>(isa::UnitClass::fp)].set_units(parameters.clusters);
  ports_[static_cast<std::size_t>(isa::UnitClass::sfu)].set_units(parameters.sfu_units);
}

void ClusterChoice::Port::begin_with(DomainSet unit) { with.push_back(unit); }

}  // namespace heddle
