#include "models/core/counter_classes.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace heddle {
namespace {

std::size_t end_of_name(std::string_view part) {
  std::size_t end = part.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(part[end - 1]))) --end;
  return end;
}

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }

// Compares texts whose memory is often the same.
bool is_equal(std::string_view a, std::string_view b) {
  return (a.data() == b.data() && a.size() == b.size()) || a == b;
}

bool is_alike(const std::vector<CounterInfo>& infos, const CounterRoot& a, const CounterRoot& b) {
  if (a.counters.size() != b.counters.size() ||
      a.name.substr(0, end_of_name(a.name)) != b.name.substr(0, end_of_name(b.name)))
    return false;
  const char *owner_a = nullptr, *owner_b = nullptr;  // of the counters before
  for (std::size_t i = 0; i < a.counters.size(); ++i) {
    const CounterInfo &x = infos[a.counters[i]], &y = infos[b.counters[i]];
    if (!is_equal(x.name, y.name)) return false;
    if (x.owner.data() == owner_a && y.owner.data() == owner_b) continue;
    if (x.owner.substr(a.name.size()) != y.owner.substr(b.name.size())) return false;
    owner_a = x.owner.data();
    owner_b = y.owner.data();
  }
  return true;
}

}  // namespace

std::vector<CounterRoot> counter_roots(const StatsRegistry& registry) {
  const std::vector<CounterInfo>& infos = registry.counters();
  std::vector<CounterRoot> roots;
  std::size_t root = 0;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (i == 0 || infos[i].owner.data() != infos[i - 1].owner.data()) {
      const std::string_view name = first_part(infos[i].owner);
      const auto has_name = [name](const CounterRoot& other) { return other.name == name; };
      root = static_cast<std::size_t>(std::find_if(roots.begin(), roots.end(), has_name) - roots.begin());
      if (root == roots.size()) roots.push_back({name, {}, root});
    }
    roots[root].counters.push_back(i);
  }
  for (std::size_t r = 0; r < roots.size(); ++r)
    for (std::size_t other = 0; other < r && roots[r].like == r; ++other)
      if (roots[other].like == other && is_alike(infos, roots[other], roots[r])) roots[r].like = other;
  return roots;
}

std::string class_of_units(std::string_view path) {
  std::string out;
  out.reserve(path.size());
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::string_view part = first_part(path.substr(begin));
    const std::size_t end = end_of_name(part);
    if (!out.empty()) out += '.';
    out.append(part.substr(0, end == 0 ? part.size() : end));
    begin += part.size() + 1;
  }
  return out;
}

CounterClasses::CounterClasses(const StatsRegistry& registry) {
  const std::vector<CounterInfo>& infos = registry.counters();
  const std::vector<CounterRoot> roots = counter_roots(registry);
  std::vector<CounterClass> classes;
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> of_root(
      roots.size());  // number of each counter's class, for first roots
  for (std::size_t r = 0; r < roots.size(); ++r) {
    std::string_view owner;
    std::string unit;
    if (roots[r].like == r)
      for (const std::size_t i : roots[r].counters) {
        if (infos[i].owner != owner || unit.empty()) unit = class_of_units(owner = infos[i].owner) += '.';
        const auto [known, is_new] = numbers.try_emplace(std::string(unit) += infos[i].name, classes.size());
        if (is_new) classes.push_back({known->first, {}});
        if (is_new) classes.back().counters.reserve(roots.size());
        of_root[r].push_back(known->second);
      }
    for (std::size_t i = 0; i < roots[r].counters.size(); ++i)
      classes[of_root[roots[r].like][i]].counters.push_back(roots[r].counters[i]);
  }
  std::sort(classes.begin(), classes.end(),
            [](const CounterClass& a, const CounterClass& b) { return a.name < b.name; });
  all_ = std::make_shared<const std::vector<CounterClass>>(std::move(classes));
}

std::size_t CounterClasses::position(std::string_view name) const {
  const auto found =
      std::lower_bound(all_->begin(), all_->end(), name,
                       [](const CounterClass& one, std::string_view wanted) { return one.name < wanted; });
  return found == all_->end() || found->name != name ? all_->size()
                                                     : static_cast<std::size_t>(found - all_->begin());
}

}  // namespace heddle
