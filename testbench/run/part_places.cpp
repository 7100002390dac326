#include "testbench/run/part_places.h"

#include <algorithm>

#include "models/core/part_path.h"
#include "testbench/run/tree_path.h"

namespace heddle::run {
namespace {

constexpr const char* kPasses = "compiler.passes";
constexpr const char* kControlBits = "control-bits";

bool has_type(const ConfigNode* list, std::string_view type) {
  return list && std::any_of(list->items.begin(), list->items.end(),
                             [&](const ConfigNode& part) { return type_of_part(part) == type; });
}

}  // namespace

void insert_part(ConfigNode& list, const PartOrder& order, const ConfigNode& part) {
  const auto rank = [&order](const ConfigNode& one) { return order.rank(type_of_part(one), one.where()); };
  const std::size_t own = rank(part);
  const auto behind = std::find_if(list.items.begin(), list.items.end(),
                                   [&](const ConfigNode& other) { return rank(other) > own; });
  list.items.insert(behind, part);
}

void add_missing_passes(ConfigNode& configuration, const std::vector<ConfigNode>& passes) {
  ConfigNode& list = *find_path(configuration, kPasses);
  const PartOrder order = PartOrder::of_place(kPasses);
  for (const ConfigNode& pass : passes)
    if (!has_type(&list, type_of_part(pass))) insert_part(list, order, pass);
}

void add_control_bits(ConfigNode& configuration) {
  if (has_type(find_path(configuration, "gpu.sm.constraints"), "stall-count"))
    add_missing_passes(configuration, {ConfigNode::make_string(kControlBits, "gpu.sm.constraints")});
}

}  // namespace heddle::run
