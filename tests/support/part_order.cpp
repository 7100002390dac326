#include "tests/support/part_order.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/compiler/pipeline.h"
#include "models/core/registry.h"
#include "testbench/run/data_files.h"

namespace heddle::testing_support {

std::string in_order(const char* list, std::vector<std::string> parts) {
  static const ConfigNode order = parse_config_file(run::find_data("configs/order.json"));
  const std::vector<ConfigNode>& types = order.find(list)->items;
  const auto place = [&types](const std::string& json) {
    const std::string type = choice_name(parse_config_text(json, "a part"));
    return std::find_if(types.begin(), types.end(),
                        [&type](const ConfigNode& node) { return node.text == type; }) -
           types.begin();
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
