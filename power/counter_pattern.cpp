#include "power/counter_pattern.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "models/core/wildcard.h"

namespace heddle::power {
namespace {

constexpr std::string_view kCyclesSuffix = ".cycles";

std::string unit_of(const std::string& path) {
  std::string unit;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (begin > 0 && std::isdigit(static_cast<unsigned char>(path[end - 1])))
      unit.append(unit.empty() ? "" : ".").append(path, begin, end - begin);
    begin = end + 1;
  }
  return unit;
}

}  // namespace

std::vector<CounterMatch> find_counters(const StatsRegistry& registry, const std::string& pattern) {
  std::vector<CounterMatch> found;
  std::set<std::string> owners;
  for (std::size_t i = 0; i < registry.counters().size(); ++i) {
    const CounterInfo& info = registry.counters()[i];
    const std::string name = info.full_name();
    if (!fits(pattern, name)) continue;
    const std::string owner = name.substr(0, name.rfind('.'));
    found.push_back({i, unit_of(owner), owner});
    owners.insert(owner);
  }
  if (!pattern.ends_with(kCyclesSuffix)) return found;
  const std::string owner_pattern = pattern.substr(0, pattern.size() - kCyclesSuffix.size());
  for (const CounterInfo& info : registry.counters()) {
    const std::string name = info.full_name();
    for (const std::string& owner : {info.owner, name.substr(0, name.rfind('.'))})
      if (fits(owner_pattern, owner) && owners.insert(owner).second)
        found.push_back({kCycles, unit_of(owner), owner});
  }
  return found;
}

}  // namespace heddle::power
