#include "models/operands/collector_sets.h"

namespace heddle {

CollectorSets::CollectorSets(const RegisterFileParameters& parameters, const StatsScope& stats)
    : places_(parameters.collectors.values),
      occupied_cycles_(
          stats.add("occupied_cycles", "collector-cycles", "collectors in use, summed over cycles")) {
  const bool by_kind = parameters.collectors.by_kind();
  std::size_t end = 0;
  for (std::size_t set = 0; set < places_.size(); ++set) {
    const std::size_t begin = end;
    end += static_cast<std::size_t>(places_[set]);
    for (std::size_t c = end; c-- > begin;) sets_[set].free.push_back(static_cast<std::uint16_t>(c));
    sets_[set].size = end - begin;
    if (by_kind)
      sets_[set].occupied_cycles =
          &stats.add("occupied_cycles_" + parameters.collectors.kinds[set], "collector-cycles",
                     "part of occupied_cycles for the set of this kind");
  }
  for (std::size_t unit = 0; unit < set_of_.size(); ++unit)
    set_of_[unit] =
        &sets_[by_kind ? static_cast<std::size_t>(isa::collector_kind(static_cast<isa::UnitClass>(unit)))
                       : 0];
}

}  // namespace heddle
