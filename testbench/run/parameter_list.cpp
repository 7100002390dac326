#include "testbench/run/parameter_list.h"

#include <set>

#include "models/core/registry.h"
#include "testbench/run/run_parameters.h"

namespace heddle::run {
namespace {

// Adds to `all` the parameters of every part of a family (exchangeable parts, such as all schedulers).
// `path`: the configuration key that selects one of these parts, or a list of these parts.
void add_parts(const Family& family, const std::string& path, bool is_list,
               std::vector<ListedParameter>& all) {
  for (const PartInfo& part : family.parts())
    for (const FieldInfo& own : part.parameters)
      all.push_back(
          {path + (is_list ? "[" + part.name + "]." : ".") + own.path, family.name(), part.name, own});
}

}  // namespace

std::vector<ListedParameter> list_parameters() {
  std::vector<ListedParameter> all;
  std::set<std::string> placed;
  for (const FieldInfo& field : describe_fields<RunParameters>()) {
    all.push_back({field.path, "", "", field});
    const std::size_t of = field.type.find(" of ");
    const Family* family =
        of == std::string::npos ? nullptr : Families::instance().named(field.type.substr(of + 4));
    if (!family) continue;
    placed.insert(family->name());
    add_parts(*family, field.path, field.type.starts_with("list of "), all);
  }
  for (const auto& [place, family] : Families::instance().by_place())
    if (!placed.contains(family->name())) add_parts(*family, place, true, all);
  return all;
}

}  // namespace heddle::run
