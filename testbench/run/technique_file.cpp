#include "testbench/run/technique_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/part_path.h"
#include "models/core/registry.h"
#include "models/core/unknown_name.h"
#include "testbench/launch/object_reader.h"
#include "testbench/run/data_files.h"
#include "testbench/run/tree_path.h"

namespace heddle::run {
namespace {

namespace fs = std::filesystem;
using launch::ObjectReader;

const TypeForm kPartForm("technique", "part", "text|object",
                         "a type, or an object with \"type\" and parameters");
const ObjectForm kRequirementForm("technique", "requirement", "a requirement",
                                  {{"parameter!", "text"},
                                   {"one_of", "any[1-]"},
                                   {"has", "text",
                                    "property of the part there: heddle list, as announces-descheduling"},
                                   {"otherwise", "any", "the value to use if the user sets none"},
                                   {"why!", "text"}},
                                  {{"one_of"}, {"has"}});
const ObjectForm kAxisForm("technique", "axis", "an axis",
                           {{"name!", "text"},
                            {"path!", "text", "the parameters that it is about begin so"},
                            {"reason!", "text", "why a machine chooses it once, without a full stop"}});
const ObjectForm kTechniqueForm(
    "technique", "", "a technique",
    {{"$schema", "string"},
     {"format", "'1'"},
     {"description!", "text"},
     {"paper", "text", "where it is described"},
     {"note", "text", "a line that the summary of each run with the technique shows"},
     {"axes", "(text|axis)[]",
      "choices that the technique makes for the machine (docs/techniques.md), by name or of its own: "
      "techniques that decide one of them differently are refused"},
     {"with", "path[]", "techniques that this one combines, in addition to its own settings"},
     {"requires", "requirement[]"},
     {"stages", "part[]", "register-file stages: heddle list register-file"},
     {"front_end_stages", "part[]", "heddle list front-end"},
     {"constraints", "part[]", "issue constraints"},
     {"admission", "part[]", "CTA admission constraints"},
     {"passes", "part[]", "compiler passes"},
     {"technologies", "path[]", "names in configs/technology, or files"},
     {"set", "any{}",
      "parameter paths and their values; a value may carry its source or the "
      "reason why it is assumed, and a size may be "
      "relative: size_of_preset, relative_size"}},
    {}, "What a technique changes in a configuration (docs/techniques.md).");

ConfigNode as_object(const ConfigNode& part) {
  if (!part.is_string()) return part;
  ConfigNode object = ConfigNode::make_object(part.file);
  object.line = part.line;
  object.path = part.path;
  object.members.emplace_back("type", part);
  return object;
}

const TechniqueAxis* find_axis(const std::string& name) {
  const auto found = std::find_if(technique_axes().begin(), technique_axes().end(),
                                  [&](const TechniqueAxis& axis) { return axis.name == name; });
  return found == technique_axes().end() ? nullptr : &*found;
}

TechniqueAxis read_axis(const ConfigNode& node) {
  if (!node.is_object()) {
    const std::string name = ObjectReader::text_of(node);
    if (const TechniqueAxis* axis = find_axis(name)) return *axis;
    std::vector<std::string> known;
    for (const TechniqueAxis& axis : technique_axes()) known.push_back(axis.name);
    throw unknown_name(node.where(), "axis", name, known);
  }
  const ObjectReader in(node, kAxisForm);
  TechniqueAxis axis{in.text("name"), in.text("path"), in.text("reason")};
  if (find_axis(axis.name))
    throw Error(node.where(), fmt::format("\"{}\" is an axis already", axis.name), "its name alone");
  return axis;
}

std::string beside(const ConfigNode& name, const std::string& file) {
  return (fs::path(name.file.text()).parent_path() / file).lexically_normal().string();
}

std::vector<std::string> types_with(const std::string& property, const std::string& place) {
  std::vector<std::string> types;
  const auto& families = Families::instance().by_place();
  if (const auto family = families.find(place); family != families.end())
    for (const PartInfo& part : family->second->parts()) {
      const auto& all = part.traits.properties;
      if (std::find(all.begin(), all.end(), property) != all.end()) types.push_back(part.name);
    }
  return types;
}

Technique::Requirement read_requirement(const ConfigNode& item) {
  const ObjectReader in(item, kRequirementForm);
  Technique::Requirement requirement;
  requirement.path = in.text("parameter");
  requirement.why = in.text("why");
  if (const ConfigNode* otherwise = in.find("otherwise")) requirement.otherwise = *otherwise;
  requirement.has = in.text("has", false);
  if (!requirement.has.empty() && types_with(requirement.has, requirement.path).empty())
    throw Error(in.get("has").where(),
                fmt::format("no part at {} has the property \"{}\"", requirement.path, requirement.has),
                "a property of a part there (models/core/registry.h)");
  if (requirement.has.empty() == !in.has("one_of"))
    throw Error(item.where(), "not a requirement", "\"one_of\" or \"has\"");
  if (const ConfigNode* values = in.find("one_of"))
    for (const ConfigNode& value : ObjectReader::array(*values).items)
      requirement.one_of.push_back(value_text(value));
  return requirement;
}

void read_into(Technique& technique, const ConfigNode& fragment, std::vector<std::string>& files,
               std::vector<std::string>& inside) {
  constexpr int kFormat = 1;
  format_of(fragment, "a technique", kFormat, kFormat, false);
  const ObjectReader in(fragment, kTechniqueForm);
  in.text("description");
  if (const ConfigNode* note = in.find("note")) technique.notes.push_back(ObjectReader::text_of(*note));
  if (const ConfigNode* sum = in.find("with"))
    for (const ConfigNode& name : ObjectReader::array(*sum).items) {
      const std::string file = technique_file(name);
      if (std::find(inside.begin(), inside.end(), file) != inside.end())
        throw Error(name.where(), "techniques are sums of each other in a circle");
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
      inside.push_back(file);
      read_into(technique, parse_config_file(file), files, inside);
      inside.pop_back();
    }
  if (const ConfigNode* axes = in.find("axes"))
    for (const ConfigNode& item : ObjectReader::array(*axes).items)
      if (TechniqueAxis axis = read_axis(item);
          std::find(technique.axes.begin(), technique.axes.end(), axis) == technique.axes.end())
        technique.axes.push_back(std::move(axis));
  for (std::size_t i = 0; i < technique_lists().size(); ++i)
    if (const ConfigNode* parts = in.find(technique_lists()[i].key))
      for (const ConfigNode& part : ObjectReader::array(*parts).items)
        technique.parts[i].push_back(as_object(part));
  if (const ConfigNode* sets = in.find("set")) {
    if (!sets->is_object())
      throw Error(sets->where(), "not a set of parameters", R"({"path.key": value, ...})");
    for (const auto& [path, value] : sets->members) technique.settings.emplace_back(path, value);
  }
  if (const ConfigNode* technologies = in.find("technologies"))
    for (const ConfigNode& technology : ObjectReader::array(*technologies).items) {
      ConfigNode one = technology;
      one.text = ObjectReader::text_of(technology);
      if (is_file_name(one.text) && fs::path(one.text).is_relative()) one.text = beside(one, one.text);
      technique.technologies.push_back(std::move(one));
    }
  if (const ConfigNode* requirements = in.find("requires"))
    for (const ConfigNode& item : ObjectReader::array(*requirements).items)
      technique.requirements.push_back(read_requirement(item));
}

}  // namespace

const std::vector<TechniqueAxis>& technique_axes() {
  static const std::vector<TechniqueAxis> axes = {
      {"cache of the hierarchy", "gpu.sm.register_file.stages[register-cache]",
       "one place above the banks holds one cache of one size"},
      {"entries of the hierarchy", "gpu.sm.register_file.stages[operand-file]",
       "the compiler fills entries of only one structure of one size"},
      {"format of rows", "gpu.sm.register_file.banks.format",
       "the rows of the banks store registers in one format"},
      {"mapping of registers", "gpu.sm.register_file.stages[renaming]", "one table maps each register"},
      {"power of rows", "gpu.sm.register_file.banks.power", "a row has one supply, switched by one rule"},
      {"power of lanes", "gpu.sm.register_file.banks.lane_gating",
       "the lanes of a row are driven by one rule"},
      {"speed of rows", "gpu.sm.register_file.banks.partition", "a row has one speed"},
      {"gating of units", "gpu.sm.gating", "a pipeline has one power switch, turned by one policy"},
      {"folding", "gpu.sm.folding", "the warps of a pipeline fold by one rule"},
      {"scheduler", "gpu.sm.scheduler", "a scheduler follows one policy"},
  };
  return axes;
}

const std::vector<TechniqueList>& technique_lists() {
  static const std::vector<TechniqueList> lists = {
      {"stages", "gpu.sm.register_file.stages"},
      {"front_end_stages", "gpu.sm.front_end.stages"},
      {"constraints", "gpu.sm.constraints"},
      {"admission", "gpu.admission"},
      {"passes", "compiler.passes"},
  };
  return lists;
}

std::string technique_file(const ConfigNode& name) {
  if (!name.is_string()) throw Error(name.where(), "not the name of a technique", "a name or a file");
  const std::string file = find_named("configs/techniques", name.text, "technique", name.where());
  const bool is_next_to_file = name.line > 0 && file == name.text && fs::path(file).is_relative();
  return is_next_to_file ? beside(name, file) : file;
}

Technique read_technique(const std::string& file, std::vector<std::string>& files) {
  Technique technique;
  technique.name = fs::path(file).stem().string();
  technique.parts.resize(technique_lists().size());
  std::vector<std::string> inside = {file};
  files.push_back(file);
  read_into(technique, parse_config_file(file), files, inside);
  return technique;
}

std::string value_text(const ConfigNode& node) {
  const std::string_view type = type_of_part(node);
  return type.empty() ? one_line(node) : std::string(type);
}

bool is_met(const Technique::Requirement& requirement, const ConfigNode* value) {
  const std::vector<std::string> allowed =
      requirement.has.empty() ? requirement.one_of : types_with(requirement.has, requirement.path);
  return std::find(allowed.begin(), allowed.end(), value ? value_text(*value) : "") != allowed.end();
}

std::string allowed_by(const Technique::Requirement& requirement) {
  return fmt::format("{}", fmt::join(requirement.has.empty() ? requirement.one_of
                                                             : types_with(requirement.has, requirement.path),
                                     ", "));
}

}  // namespace heddle::run
