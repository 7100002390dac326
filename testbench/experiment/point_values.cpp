#include "testbench/experiment/point_values.h"

#include "models/core/counter_classes.h"
#include "models/core/wildcard.h"

namespace heddle::experiment {
namespace {

// Returns the name under which counters of equal units are summed: "sm.partition.banks.reads" for
// "sm0.partition0.banks.reads". Digits after the last dot stay.
std::string sum_name(const std::string& full) {
  const std::size_t dot = full.rfind('.');
  if (dot == std::string::npos) return full;
  return class_of_units(full.substr(0, dot)) + full.substr(dot);
}

// Returns the name for an item of a list in result.json: its "name", "entry" or "structure", or its index.
std::string item_key(const ConfigNode& item, std::size_t index) {
  for (const char* key : {"name", "entry", "structure"})
    if (const ConfigNode* name = item.find(key); name && name->is_string()) return name->text;
  return std::to_string(index);
}

}  // namespace

// Use estimates of the whole run, if any, instead of the counts of its timed CTAs.
PointValues::PointValues(const ConfigNode& result) {
  const ConfigNode* total = result.find("total");
  const ConfigNode* estimate = total ? total->find("estimate") : nullptr;
  if (estimate) total = estimate;
  for (const auto& [key, section] : result.members) {
    if (key == "total") {
      for (const auto& [part, node] : total->members) {
        const ConfigNode* value = part == "counters" || part == "energy" ? nullptr : node.find("value");
        if (value) entries_[part] = value->number;
        add_numbers(node, part == "counters" || part == "metrics" ? "" : value ? "estimate." + part : part);
      }
    } else if (key == "energy" || key == "analysis" || key == "occupancy") {
      add_numbers(section, key);
    }
  }
  const ConfigNode* counters = total ? total->find("counters") : nullptr;
  if (!counters) return;
  for (const auto& [name, node] : counters->members) sums_[sum_name(name)] += node.number;
}

PointValues::PointValues(std::shared_ptr<const PointValues> common, const ConfigNode& energies)
    : common_(std::move(common)) {
  for (const auto& [part, node] : energies.members) add_numbers(node, part == "metrics" ? "" : part);
}

void PointValues::add_numbers(const ConfigNode& node, const std::string& path) {
  const auto below = [&path](const std::string& key) { return path.empty() ? key : path + "." + key; };
  if (node.is_number()) entries_[path] = node.number;
  for (const auto& [key, member] : node.members) add_numbers(member, below(key));
  for (std::size_t i = 0; i < node.items.size(); ++i)
    add_numbers(node.items[i], below(item_key(node.items[i], i)));
}

const double* PointValues::find(const std::string& name) const {
  for (const auto* values : {&entries_, &sums_})
    if (const auto it = values->find(name); it != values->end()) return &it->second;
  return common_ ? common_->find(name) : nullptr;
}

template <class Visit>
void PointValues::for_each_like(const std::string& pattern, Visit visit) const {
  static const std::map<std::string, double> none;
  const std::string stem = pattern.substr(0, pattern.find_first_of("*?["));
  const auto next = [&](auto it, const std::map<std::string, double>& entries) {
    while (it != entries.end() && it->first.starts_with(stem) && !fits(pattern, it->first)) ++it;
    return it != entries.end() && it->first.starts_with(stem) ? it : entries.end();
  };
  const std::map<std::string, double>& common = common_ ? common_->entries_ : none;
  auto own = next(entries_.lower_bound(stem), entries_), shared = next(common.lower_bound(stem), common);
  while (own != entries_.end() || shared != common.end()) {
    const bool is_own = shared == common.end() || (own != entries_.end() && own->first <= shared->first);
    const auto& [name, value] = is_own ? *own : *shared;
    if (is_own && shared != common.end() && shared->first == name) shared = next(std::next(shared), common);
    visit(name, value);
    if (is_own)
      own = next(std::next(own), entries_);
    else
      shared = next(std::next(shared), common);
  }
}

bool PointValues::matches(const std::string& pattern) const { return match(pattern).count > 0; }

PointValues::Matched PointValues::match(const std::string& pattern) const {
  Matched matched;
  for_each_like(pattern, [&](const std::string&, double value) {
    matched.sum += value;
    ++matched.count;
  });
  return matched;
}

std::vector<std::string> PointValues::names_like(const std::string& pattern) const {
  std::vector<std::string> names;
  for_each_like(pattern, [&](const std::string& name, double) { names.push_back(name); });
  return names;
}

void PointValues::merge_own_names(const PointValues& other) {
  entries_.insert(other.entries_.begin(), other.entries_.end());
  sums_.insert(other.sums_.begin(), other.sums_.end());
}

void PointValues::merge_names(const PointValues& other) {
  merge_own_names(other);
  if (other.common_) merge_names(*other.common_);
}

}  // namespace heddle::experiment
