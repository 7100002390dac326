#include "tests/support/part_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/compiler/pipeline.h"
#include "models/core/part_order.h"
#include "models/core/registry.h"
#include "testbench/run/technique_file.h"

namespace heddle::testing_support {

std::string in_order(const char* list, std::vector<std::string> parts) {
  const auto& lists = run::technique_lists();
  const auto of = std::find_if(lists.begin(), lists.end(), [list](const run::TechniqueList& one) {
    return one.key == std::string(list);
  });
  const PartOrder order = PartOrder::of_place(of->path);
  const auto place = [&order](const std::string& json) {
    const std::string type = choice_name(parse_config_text(json, "a part"));
    return order.is_placed(type) ? order.rank(type, json) : order.types().size();
  };
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string pass_list(bool clean_ups, const std::vector<std::string>& parts) {
  std::vector<std::string> list;
  if (clean_ups)
    for (const ConfigNode& pass : compiler::default_passes()) list.push_back("\"" + choice_name(pass) + "\"");
  if (!parts.empty()) list.push_back(in_order("passes", parts));
  return fmt::format("[{}]", fmt::join(list, ","));
}

std::string stage_list(const std::vector<std::string>& parts) {
  return parts.empty() ? R"(["banks"])" : "[" + in_order("stages", parts) + R"(,"banks"])";
}

}  // namespace heddle::testing_support
