#include "testbench/output/counter_view.h"

#include <cctype>
#include <utility>

#include "models/scheduler/stall_reason.h"

namespace heddle::output {

std::string class_of_units(const std::string& path) {
  std::string out;
  out.reserve(path.size());
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    std::size_t end = dot;
    while (end > begin && std::isdigit(static_cast<unsigned char>(path[end - 1]))) --end;
    if (end == begin) end = dot;
    if (!out.empty()) out += '.';
    out.append(path, begin, end - begin);
    begin = dot + 1;
  }
  return out;
}

// Expected number of units that have the same counter: most counters exist once per SM. Used only to reserve
// space.
constexpr std::size_t kLikes = 16;

CounterView::CounterView(const StatsRegistry& registry, const std::vector<std::uint64_t>& values) {
  // Units of the same kind, such as the banks of all SMs, usually register their counters in the same order. The loop
  // keeps this order for each kind. A counter whose name is the next in this order needs no look-up by name.
  std::map<std::string, std::vector<std::pair<const std::string*, Sum*>>> known;
  auto likes = known.end();
  std::string owner;
  std::size_t place = 0;
  for (std::size_t i = 0; i < values.size(); ++i, ++place) {
    const CounterInfo& info = registry.counters()[i];
    if (i == 0 || info.owner != owner) {
      likes = known.try_emplace(class_of_units(owner = info.owner) + ".").first;
      place = 0;
    }
    auto& [prefix, sums] = *likes;
    const bool follows = place < sums.size() && *sums[place].first == info.name;
    Sum& sum = follows ? *sums[place].second : sums_[prefix + info.name];
    if (place == sums.size()) sums.emplace_back(&info.name, &sum);
    if (sum.counters.empty()) sum.counters.reserve(kLikes);
    sum.value += values[i];
    sum.counters.push_back(i);
  }
}

std::uint64_t CounterView::sum(const std::string& name) const {
  const auto it = sums_.find(name);
  return it == sums_.end() ? 0 : it->second.value;
}

const std::vector<std::size_t>& CounterView::counters(const std::string& name) const {
  static const std::vector<std::size_t> none;
  const auto it = sums_.find(name);
  return it == sums_.end() ? none : it->second.counters;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& values, const std::vector<std::size_t>& places) {
  std::uint64_t sum = 0;
  for (const std::size_t place : places) sum += values[place];
  return sum;
}

double CounterView::share_of_cycles(const std::string& name, std::uint64_t cycles) const {
  const std::uint64_t all = units(name) * cycles;
  return all == 0 ? 0 : static_cast<double>(sum(name)) / static_cast<double>(all);
}

std::vector<std::string> stall_reasons(const CounterView& counters) {
  std::vector<std::string> found;
  const std::string begin = kIdleSlots;
  for (auto it = counters.sums().lower_bound(begin);
       it != counters.sums().end() && it->first.starts_with(begin); ++it)
    found.push_back(it->first.substr(begin.size()));
  return stall_reason_names(std::move(found));
}

}  // namespace heddle::output
