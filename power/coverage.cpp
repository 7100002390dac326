#include "power/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/core/wildcard.h"
#include "power/storage.h"

namespace heddle::power {
namespace {

bool is_priced(const Coverage& coverage, const MachinePart& part, const std::vector<std::size_t>& groups) {
  if (!part.structures)
    return std::any_of(groups.begin(), groups.end(), [&](std::size_t g) { return coverage.groups[g]; });
  const auto structures = words(part.structures);
  return std::any_of(structures.begin(), structures.end(), [&](std::string_view name) {
    return coverage.structures.contains({std::string(name), part.still});
  });
}

bool is_known(const std::string& owner) {
  const auto patterns = words(kKnownUnits);
  return owner.empty() || std::any_of(patterns.begin(), patterns.end(),
                                      [&](std::string_view pattern) { return fits(pattern, owner); });
}

}  // namespace

NotPriced find_not_priced(const Coverage& coverage) {
  NotPriced missing;
  for (const MachinePart& part : machine_parts()) {
    std::vector<std::size_t> groups;
    for (const std::string_view pattern : words(part.has))
      for (const CounterMatch& match : coverage.index.find(std::string(pattern)))
        groups.push_back(match.group);
    if (groups.empty() || is_priced(coverage, part, groups)) continue;
    (part.still ? missing.still : missing.dynamic).emplace_back(part.name);
  }
  return missing;
}

std::vector<std::string> find_free_units(const Coverage& coverage) {
  struct Unit {
    std::set<std::string> counters;
    bool priced = false;
  };
  std::map<std::string, Unit> units;
  // Result of is_known() for each owner, because many counters share owners.
  std::map<std::string_view, bool> known;
  for (std::size_t g = 0; g < coverage.index.groups().size(); ++g) {
    const CounterGroup& group = coverage.index.groups()[g];
    const auto [owner, fresh] = known.try_emplace(group.owner, false);
    if (fresh) owner->second = is_known(group.owner);
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
