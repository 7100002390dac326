#include "testbench/run/relative_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/part_path.h"
#include "models/core/registry.h"
#include "models/core/unknown_name.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/tree_path.h"

namespace heddle::run {
namespace {

const ObjectForm kRelativeForm("technique", "relative_size", "a relative size",
                               {{"times!", "any", "a number"},
                                {"by!", "text", "issue-slot, active-warp"},
                                {"in", "text"}});
const ObjectForm kOfPresetForm("technique", "size_of_preset", "a relative size",
                               {{"times!", "any", "a number"}, {"of!", "'preset'|'preset-registers'"}});

// Parameters from which relative sizes are computed ("three for each issue slot"). The scheduler is one of
// them, because a size may depend on the scheduler's number of active warps.
const std::string kCounted[] = {"gpu.sm.partitions", "gpu.sm.schedulers_per_partition", "gpu.sm.issue_width",
                                "gpu.sm.max_warps", "gpu.sm.scheduler"};

const std::string kFile = "gpu.sm.register_file.";

double times_of(const ConfigNode& value) {
  constexpr double kMost = 1e9;
  const ConfigNode* times = value.find("times");
  if (times && times->unwrapped().is_number() && times->unwrapped().number > 0 &&
      times->unwrapped().number <= kMost)
    return times->unwrapped().number;
  throw Error(value.where(), "a relative size without a positive factor",
              R"({"times": 0.5, "of": "preset"})");
}

std::int64_t part_of(const ConfigNode& whole, double times, const ConfigNode& value,
                     const std::string& path) {
  if (!whole.unwrapped().is_integer)
    throw Error(value.where(), fmt::format("{} is {} in the preset, which is no size", path, one_line(whole)),
                "a number, or a list of numbers");
  return static_cast<std::int64_t>(std::floor(static_cast<double>(whole.unwrapped().integer) * times));
}

ConfigNode placed(ConfigNode made, const ConfigNode& value) {
  made.file = value.file;
  made.line = value.line;
  made.path = value.path;
  return made;
}

std::int64_t registers_of(const ConfigNode& configuration) {
  const ConfigNode* uneven = find_path(configuration, kFile + "banks.uneven_entries");
  if (uneven && !uneven->items.empty())
    return std::accumulate(
        uneven->items.begin(), uneven->items.end(), std::int64_t{0},
        [](std::int64_t sum, const ConfigNode& entries) { return sum + entries.unwrapped().integer; });
  return find_path(configuration, kFile + "banks.count")->integer *
         find_path(configuration, kFile + "banks.entries")->integer;
}

// Counts the parts of a machine, such as issue slots, for sizes that are given per part. Other values of
// the configuration may still be invalid.
class Machine {
 public:
  explicit Machine(const ConfigNode& configuration) : configuration_(configuration) {}

  double count(const std::string& unit, const std::string& structure, const ConfigNode& value) const {
    const double schedulers = structure == "scheduler" ? 1
                              : structure == "partition"
                                  ? number("gpu.sm.schedulers_per_partition")
                                  : number("gpu.sm.schedulers_per_partition") * number("gpu.sm.partitions");
    if (structure != "scheduler" && structure != "partition" && structure != "sm")
      throw unknown_name(value.where(), "structure", structure, {"scheduler", "partition", "sm"});
    if (unit == "scheduler") return schedulers;
    if (unit == "issue-slot") return schedulers * number("gpu.sm.issue_width");
    if (unit == "active-warp") return schedulers * active_warps();
    if (unit == "warp") return schedulers * warps();
    if (unit == "partition" && structure != "scheduler")
      return structure == "sm" ? number("gpu.sm.partitions") : 1;
    throw Error(value.where(), fmt::format("no {} has parts called \"{}\"", structure, unit),
                "issue-slot, active-warp, warp, scheduler; partition in an sm");
  }

 private:
  double number(const std::string& path) const {
    const ConfigNode* node = find_path(configuration_, path);
    if (!node || !node->is_integer || node->integer < 1)
      throw Error(node ? node->where() : path, "not a size that others could be by", "a positive integer");
    return static_cast<double>(node->integer);
  }
  double warps() const {
    return std::ceil(number("gpu.sm.max_warps") /
                     (number("gpu.sm.partitions") * number("gpu.sm.schedulers_per_partition")));
  }
  // Returns the number of a scheduler's active warps; if its policy has no active set, the number of all its
  // warps.
  double active_warps() const {
    if (find_path(configuration_, "gpu.sm.scheduler.active_warps"))
      return number("gpu.sm.scheduler.active_warps");
    const auto& families = Families::instance().by_place();
    const auto family = families.find("gpu.sm.scheduler");
    const ConfigNode* scheduler = find_path(configuration_, "gpu.sm.scheduler");
    if (family == families.end() || !scheduler) return warps();
    for (const PartInfo& policy : family->second->parts())
      if (policy.name == type_of_part(*scheduler))
        for (const FieldInfo& parameter : policy.parameters)
          if (parameter.path == "active_warps") return std::stod(parameter.default_value);
    return warps();
  }

  const ConfigNode& configuration_;
};

void resolve(ConfigNode& node, const std::string& path, const Machine& machine,
             std::vector<RelativeSize>& sizes) {
  if (node.is_object() && node.find("times") && (node.find("by") || node.find("of"))) {
    if (node.find("of"))
      throw Error(node.where(), "a size relative to the preset may only be in \"set\" of a technique",
                  R"({"times": 3, "by": "issue-slot"})");
    const launch::ObjectReader in(node, kRelativeForm);
    const std::string unit = in.text("by");
    const std::string structure = node.find("in") ? in.text("in") : "scheduler";
    const double times = times_of(node);
    const auto value = static_cast<std::int64_t>(std::floor(times * machine.count(unit, structure, node)));
    sizes.push_back({path, std::to_string(value), fmt::format("{} by {} of a {}", times, unit, structure)});
    node = placed(ConfigNode::make_integer(value), node);
    return;
  }
  for (auto& [key, member] : node.members)
    resolve(member, key == "value" ? path : path.empty() ? key : path + "." + key, machine, sizes);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string type(type_of_part(node.items[i]));
    resolve(node.items[i], fmt::format("{}[{}]", path, type.empty() ? std::to_string(i) : type), machine,
            sizes);
  }
}

}  // namespace

bool is_of_preset(const ConfigNode& value) {
  const ConfigNode& plain = value.unwrapped();
  return plain.is_object() && plain.find("times") && plain.find("of");
}

ConfigNode of_preset(const ConfigNode& wrapped, const std::string& path, const ConfigNode& before,
                     std::vector<RelativeSize>& sizes) {
  const ConfigNode& value = wrapped.unwrapped();
  const launch::ObjectReader in(value, kOfPresetForm);
  const std::string of = in.text("of");
  const double times = times_of(value);
  ConfigNode made;
  if (of == "preset-registers") {
    const ConfigNode whole = ConfigNode::make_integer(registers_of(before));
    made = ConfigNode::make_integer(part_of(whole, times, value, path));
    sizes.push_back(
        {path, one_line(made), fmt::format("{} of the preset's {} registers", times, whole.integer)});
    return placed(std::move(made), value);
  }
  if (of != "preset") throw unknown_name(value.where(), "whole", of, {"preset", "preset-registers"});
  const ConfigNode* whole = find_path(before, path);
  if (!whole) throw Error(value.where(), fmt::format("there is no parameter {} in the preset", path));
  if (whole->is_array()) {
    made = ConfigNode::make_list();
    for (const ConfigNode& item : whole->items)
      made.items.push_back(placed(ConfigNode::make_integer(part_of(item, times, value, path)), value));
  } else {
    made = ConfigNode::make_integer(part_of(*whole, times, value, path));
  }
  if (!whole->is_array() || !whole->items.empty())
    sizes.push_back({path, one_line(made), fmt::format("{} of the preset's {}", times, one_line(*whole))});
  return placed(std::move(made), value);
}

void resolve_sizes(ConfigNode& configuration, std::vector<RelativeSize>& sizes) {
  const ConfigNode fixed = configuration;
  resolve(configuration, "", Machine(fixed), sizes);
}

bool sizes_depend_on(const std::string& path) {
  return std::any_of(std::begin(kCounted), std::end(kCounted), [&](const std::string& counted) {
    return path == counted || path.starts_with(counted + ".") || counted.starts_with(path + ".");
  });
}

}  // namespace heddle::run
