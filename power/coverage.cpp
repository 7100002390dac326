#include "power/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/core/wildcard.h"

namespace heddle::power {
namespace {

bool is_priced(const Coverage& coverage, const MachinePart& part, const std::vector<std::size_t>& groups) {
  if (part.structures.empty())
    return std::any_of(groups.begin(), groups.end(), [&](std::size_t g) { return coverage.groups[g]; });
  return std::any_of(part.structures.begin(), part.structures.end(), [&](const std::string& name) {
    return coverage.structures.contains({name, part.still});
  });
}

// Returns true if the group's unit is one that Heddle itself declares, or belongs to a machine part that is
// declared. If such a unit has no price, find_not_priced() reports it.
bool is_known(const Coverage& coverage, const CounterGroup& group) {
  return is_own_unit(group.owner) ||
         std::any_of(coverage.parts.begin(), coverage.parts.end(), [&](const MachinePart& part) {
           return std::any_of(part.has.begin(), part.has.end(), [&](const std::string& pattern) {
             return fits(pattern.substr(0, pattern.rfind('.')), group.owner);
           });
         });
}

}  // namespace

NotPriced find_not_priced(const Coverage& coverage) {
  NotPriced missing;
  for (const MachinePart& part : coverage.parts) {
    std::vector<std::size_t> groups;
    for (const std::string& pattern : part.has)
      for (const CounterMatch& match : coverage.index.find(pattern)) groups.push_back(match.group);
    if (groups.empty() || is_priced(coverage, part, groups)) continue;
    (part.still ? missing.still : missing.dynamic).emplace_back(part.name);
  }
  return missing;
}

void add_arrays_without_price(const Coverage& coverage, const ArrayList& arrays, NotPriced& missing) {
  for (const SizedArray& array : arrays.arrays) {
    if (array.structures.empty()) continue;
    for (const bool still : {false, true}) {
      std::vector<std::string>& names = still ? missing.still : missing.dynamic;
      const bool priced =
          std::any_of(array.structures.begin(), array.structures.end(), [&](const std::string& structure) {
            return coverage.consumers.contains({structure, still}) ||
                   coverage.structures.contains({structure, still});
          });
      if (priced || std::find(names.begin(), names.end(), array.name) != names.end()) continue;
      names.push_back(fmt::format("{} ({} x {} bits)", array.name, array.entries, array.bits));
    }
  }
  for (const std::string& part : arrays.undeclared) missing.dynamic.push_back("arrays of " + part);
}

std::vector<std::string> find_free_units(const Coverage& coverage) {
  struct Unit {
    std::set<std::string> counters;
    bool priced = false;
  };
  std::map<std::string, Unit> units;
  // Results of is_known() by owner (unit), stored because many counters have the same owner.
  std::map<std::string_view, bool> known;
  for (std::size_t g = 0; g < coverage.index.groups().size(); ++g) {
    const CounterGroup& group = coverage.index.groups()[g];
    const auto [owner, fresh] = known.try_emplace(group.owner, false);
    if (fresh) owner->second = is_known(coverage, group);
    if (owner->second) continue;
    Unit& unit = units[likes_of(group.owner)];
    unit.priced = unit.priced || coverage.groups[g];
    if (group.counters.front() != kCycles) unit.counters.insert(group.name);
  }
  std::vector<std::string> texts;
  for (const auto& [name, unit] : units)
    if (!unit.priced && !unit.counters.empty())
      texts.push_back(
          fmt::format("energy: nothing prices what {} counts ({}): a part without an entry in a "
                      "technology costs nothing",
                      name, fmt::join(unit.counters, ", ")));
  return texts;
}

}  // namespace heddle::power
