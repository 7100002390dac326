#include "power/area.h"

#include <algorithm>
#include <map>

namespace heddle::power {
namespace {

constexpr const char* kPrefix = "area.";

bool is_replaced(const Technology& technology, const std::vector<Technology>& all) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Technology& other) { return is_extended_by(technology, other); });
}

}  // namespace

std::vector<Area> areas_of(const std::vector<Technology>& technologies, const ConfigNode& configuration) {
  std::vector<const Technology*> order;
  for (const Technology& technology : technologies)
    if (!is_replaced(technology, technologies)) order.push_back(&technology);
  std::sort(order.begin(), order.end(), [](const Technology* a, const Technology* b) {
    return std::pair(-a->rank, a->name) < std::pair(-b->rank, b->name);
  });
  std::map<std::string, double> known;
  for (const Technology* technology : order) {
    Coefficients coefficients(technology->definitions, configuration);
    for (const auto& [name, value] : technology->definitions.values) {
      const std::string structure = name.starts_with(kPrefix) ? name.substr(std::string(kPrefix).size()) : "";
      if (!structure.empty() && !known.contains(structure))
        known.emplace(structure, coefficients.value(value));
    }
  }
  std::vector<Area> areas;
  for (const auto& [structure, mm2] : known) areas.push_back({structure, mm2});
  return areas;
}

}  // namespace heddle::power
