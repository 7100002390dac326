#include "models/core/part_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::map<std::string, std::set<std::string>> before_each(const std::vector<PartInfo>& parts) {
  std::map<std::string, std::set<std::string>> before;
  for (const PartInfo& part : parts) {
    before[part.name];
    for (const PartInfo& other : parts) {
      if (other.name == part.name) continue;
      const auto means = [&other](const std::vector<std::string>& names) {
        return contains(names, other.name) ||
               std::any_of(other.traits.kinds.begin(), other.traits.kinds.end(),
                           [&names](const std::string& kind) { return contains(names, kind); });
      };
      if (means(part.traits.before)) before[other.name].insert(part.name);
      if (means(part.traits.after)) before[part.name].insert(other.name);
    }
  }
  return before;
}

}  // namespace

PartOrder::PartOrder(const std::vector<PartInfo>& parts) {
  auto before = before_each(parts);
  for (const auto& [type, others] : before)
    for (const std::string& other : others) placed_.insert(placed_.end(), {type, other});
  while (!before.empty()) {
    const auto next =
        std::find_if(before.begin(), before.end(), [](const auto& entry) { return entry.second.empty(); });
    if (next == before.end()) {
      std::vector<std::string> left;
      for (const auto& [type, others] : before) left.push_back(type);
      throw Error("order of parts",
                  fmt::format("each of {} has to stand before another of them", fmt::join(left, ", ")),
                  "kinds and types in `before` and `after` of their registrations that name no circle");
    }
    types_.push_back(next->first);
    before.erase(next);
    for (auto& [type, others] : before) others.erase(types_.back());
  }
}

PartOrder PartOrder::of_place(const std::string& place) {
  const auto& families = Families::instance().by_place();
  const auto family = families.find(place);
  return PartOrder(family == families.end() ? std::vector<PartInfo>{} : family->second->parts());
}

std::size_t PartOrder::rank(std::string_view type, const std::string& where) const {
  const auto at = std::find(types_.begin(), types_.end(), type);
  if (at == types_.end()) throw unknown_name(where, "type", std::string(type), types_);
  return static_cast<std::size_t>(at - types_.begin());
}

bool PartOrder::is_placed(std::string_view type) const { return contains(placed_, type); }

}  // namespace heddle
