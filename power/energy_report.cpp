#include "power/energy_report.h"

namespace heddle::power {
namespace {

double saved_of(double spent, double baseline) { return baseline == 0 ? 0 : 1 - spent / baseline; }

}  // namespace

double EnergyBalance::saved() const { return saved_of(spent.total(), baseline.total()); }
double EnergyBalance::dynamic_saved() const {
  return saved_of(spent[Kind::dynamic], baseline[Kind::dynamic]);
}
double EnergyBalance::static_saved() const { return saved_of(spent.still(), baseline.still()); }

double EnergyReport::milliwatts(double pj) const {
  return cycles == 0 ? 0 : pj * clock_mhz / static_cast<double>(cycles) / 1000;
}

EnergyBalance EnergyReport::find(const std::string& name) const {
  for (const NamedBalance& group : groups)
    if (group.name == name) return group.energy;
  for (const StructureReport& structure : structures)
    if (structure.name == name) return structure.energy;
  return {};
}

}  // namespace heddle::power
