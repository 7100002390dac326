#include "power/counter_index.h"

#include <algorithm>
#include <cctype>

#include "models/core/wildcard.h"

namespace heddle::power {
namespace {

constexpr std::string_view kCyclesName = "cycles";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string unit_of(std::string_view path) {
  std::string unit;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (begin > 0 && is_digit(path[end - 1]))
      unit.append(unit.empty() ? "" : ".").append(path, begin, end - begin);
    begin = end + 1;
  }
  return unit;
}

std::string_view root_of(std::string_view path) { return path.substr(0, path.find('.')); }

// "sm3.partition0.banks" becomes "sm.partition0.banks".
std::string without_root_number(std::string_view path) {
  const std::string_view root = root_of(path);
  std::size_t end = root.size();
  while (end > 0 && is_digit(root[end - 1])) --end;
  return std::string(root.substr(0, end)).append(path.substr(root.size()));
}

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// Returns true if the pattern begins with "sm*." or "**" and therefore matches the counters of all SMs alike.
bool means_all_roots(std::string_view pattern) {
  const std::string_view root = root_of(pattern);
  return root.ends_with('*') && !has_wildcard(root.substr(0, root.find('*'))) &&
         root.substr(root.find('*')).find_first_not_of('*') == std::string_view::npos;
}

}  // namespace

std::string likes_of(const std::string& path) {
  std::string out;
  for (const char c : path)
    if (!is_digit(c))
      out += c;
    else if (!out.ends_with('*'))
      out += '*';
  return out;
}

CounterIndex::CounterIndex(const StatsRegistry& registry) {
  const std::vector<CounterRoot> roots = counter_roots(registry);
  std::vector<Shape> shapes(roots.size());
  for (std::size_t r = 0; r < roots.size(); ++r) {
    const CounterRoot& root = roots[r];
    if (root.like == r) {
      shapes[r] = shape_of(registry.counters(), root);
      for (const std::size_t group : shapes[r].groups) {
        groups_[group].counters.reserve(roots.size());
        groups_[group].roots.reserve(roots.size());
      }
    }
    const Shape& shape = shapes[root.like];
    for (const std::size_t unit : shape.units) units_[unit].roots.push_back(root.name);
    for (std::size_t i = 0; i < root.counters.size(); ++i) {
      groups_[shape.groups[i]].counters.push_back(root.counters[i]);
      groups_[shape.groups[i]].roots.push_back(root.name);
    }
  }
  add_cycles();
}

CounterIndex::Shape CounterIndex::shape_of(const std::vector<CounterInfo>& infos, const CounterRoot& root) {
  Shape shape;
  std::string_view last;
  std::size_t unit = 0;
  for (const std::size_t i : root.counters) {
    const CounterInfo& info = infos[i];
    // A counter's name may contain dots, such as "lanes.on_cycles" of owner "a.b". find() accepts this
    // counter as "lanes.on_cycles" of "a.b", and also as "on_cycles" of "a.b.lanes".
    const std::size_t dot = info.name.rfind('.');
    if (shape.units.empty() || last != info.owner) unit = unit_of(last = info.owner, shape);
    const bool dotted = dot != std::string::npos;
    shape.groups.push_back(
        dotted ? group_of(unit_of(info.full_name().substr(0, info.owner.size() + 1 + dot), shape),
                          info.name.substr(dot + 1))
               : group_of(unit, info.name));
  }
  return shape;
}

std::size_t CounterIndex::unit_of(std::string_view owner, Shape& shape) {
  const auto [found, fresh] = unit_of_path_.try_emplace(without_root_number(owner), units_.size());
  if (fresh) units_.push_back({std::string(owner), {}, {}});
  if (std::find(shape.units.begin(), shape.units.end(), found->second) == shape.units.end())
    shape.units.push_back(found->second);
  return found->second;
}

std::size_t CounterIndex::group_of(std::size_t unit, std::string_view name) {
  Unit& owner = units_[unit];
  auto found = owner.groups.find(name);
  if (found == owner.groups.end()) {
    found = owner.groups.emplace(name, groups_.size()).first;
    by_name_[found->first].push_back(groups_.size());
    groups_.push_back({owner.owner, found->first, power::unit_of(owner.owner), {}, {}});
  }
  return found->second;
}

void CounterIndex::add_cycles() {
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    const auto own = units_[unit].groups.find(kCyclesName);
    std::vector<std::string_view> with;
    if (own != units_[unit].groups.end()) with = groups_[own->second].roots;
    for (const std::string_view root : units_[unit].roots)
      if (std::find(with.begin(), with.end(), root) == with.end()) {
        CounterGroup& group = groups_[group_of(unit, kCyclesName)];
        group.counters.push_back(kCycles);
        group.roots.push_back(root);
      }
  }
}

void CounterIndex::match(const std::string& pattern, bool all_roots, std::size_t g,
                         std::vector<CounterMatch>& found) const {
  const CounterGroup& group = groups_[g];
  const std::span<const std::size_t> all(group.counters);
  const std::string path = group.path();
  if (all_roots) {
    if (fits(pattern, path)) found.push_back({g, all});
    return;
  }
  const std::size_t root = root_of(path).size();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (fits(pattern, std::string(group.roots[i]).append(path, root)))
      found.push_back({g, all.subspan(i, 1)});
}

std::vector<CounterMatch> CounterIndex::find(const std::string& pattern) const {
  std::vector<CounterMatch> found;
  const bool all_roots = means_all_roots(pattern);
  const std::string name = pattern.substr(pattern.rfind('.') + 1);
  if (has_wildcard(name)) {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].name != kCyclesName || groups_[g].counters.front() != kCycles)
        match(pattern, all_roots, g, found);
    return found;
  }
  if (const auto known = by_name_.find(name); known != by_name_.end())
    for (const std::size_t g : known->second) match(pattern, all_roots, g, found);
  return found;
}

}  // namespace heddle::power
