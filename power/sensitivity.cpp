#include "power/sensitivity.h"

#include "power/corners.h"

namespace heddle::power {

Sensitivity::Sensitivity(std::vector<Technology> technologies, const ConfigNode& configuration,
                         const StatsRegistry& registry, const std::vector<std::uint64_t>& values,
                         Cycle cycles)
    : technologies_(std::move(technologies)), binder_(technologies_, configuration, registry) {
  for (const BoundEntry& bound : binder_.bind().entries) {
    double events = 0;
    for (const Place& place : bound.spent.places)
      events += static_cast<double>(place.counter == kCycles ? cycles : values[place.counter]);
    events_.push_back(events);
  }
}

std::map<std::string, std::string> Sensitivity::ranges() const {
  std::map<std::string, std::string> names;
  for (const Technology& technology : technologies_)
    for (const auto& [name, range] : technology.definitions.ranges) names.emplace(name, range.of);
  return names;
}

double Sensitivity::total() {
  const std::vector<double> prices = binder_.prices();
  double pj = 0;
  for (std::size_t i = 0; i < prices.size(); ++i) pj += prices[i] * events_[i];
  return pj;
}

double Sensitivity::total_at(const std::string& name, const std::string& end) {
  std::vector<std::map<std::string, ConfigNode>> kept;
  for (const Technology& technology : technologies_) kept.push_back(technology.definitions.values);
  const auto restore = [&] {
    for (std::size_t t = 0; t < technologies_.size(); ++t)
      technologies_[t].definitions.values = std::move(kept[t]);
  };
  try {
    choose_corners(technologies_, {name + "=" + end}, "power.corners");
    const double pj = total();
    restore();
    return pj;
  } catch (...) {
    restore();
    throw;
  }
}

}  // namespace heddle::power
