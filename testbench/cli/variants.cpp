#include "testbench/cli/variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "models/core/registry.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/pack/packed_run.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

constexpr const char* kPlain = "plain";
constexpr const char* kTechniques = "configs/techniques";

bool is_known(const std::string& folder, const std::string& name) {
  const std::vector<std::string> names = run::list_data(folder, ".json");
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_file(const std::string& name) {
  std::error_code ec;
  return std::filesystem::is_regular_file(name, ec);
}

// Splits a variant such as "name,path=value,path=value" at its commas, except those in brackets or quotes.
std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// Splits names such as "fermi-gtx480+corf+++hybrid" at each "+". A "+" with no name after it belongs to the
// name before it, so one of the names here is "corf++".
std::vector<std::string> split_at_plus(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    if (end == begin && !parts.empty())
      parts.back() += '+';
    else
      parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> both(std::vector<std::string> names, const std::vector<std::string>& second) {
  names.insert(names.end(), second.begin(), second.end());
  return names;
}

void check_launch_and_gpu(const run::RunParameters& parameters, const std::string& where) {
  if (parameters.launch.empty())
    throw Error(where, "no launch file is named", "a scenario with \"launch\", or --launch FILE");
  if (parameters.gpu.name.empty())
    throw Error(where, "no GPU is named", "a scenario with \"gpu\": \"PRESET\"");
}

bool knows(const PartInfo& part, const std::string& parameter) {
  const std::string key = parameter + ".";
  return std::any_of(part.parameters.begin(), part.parameters.end(), [&key](const FieldInfo& field) {
    return key.starts_with(field.path + ".") || key.starts_with(field.path + "[") ||
           field.path.starts_with(key);
  });
}

// Returns false if `path` is a parameter of a part (such as a scheduler), but the configuration has chosen a
// part without this parameter. Reading the configuration does not find this error: a part reads its
// parameters only when the run builds the part.
bool is_of_its_part(const ConfigNode& configuration, const std::string& path) {
  const ConfigNode* node = &configuration;
  for (std::size_t begin = 0, dot; (dot = path.find('.', begin)) != std::string::npos; begin = dot + 1) {
    node = node->find(path.substr(begin, dot - begin));
    if (!node) return true;
    if (!node->is_string() && !(node->is_object() && node->find("type"))) continue;
    const std::string name = choice_name(*node), parameter = path.substr(dot + 1);
    for (const auto& [place, family] : Families::instance().by_place())
      for (const PartInfo& part : family->parts())
        if (part.name == name && knows(part, parameter)) return true;
    return false;
  }
  return true;
}

// Reads the configuration of a variant. Leaves out each --set whose parameter this variant lacks, for example
// a parameter of a technique of another variant. Adds a remark to `variant.notes` for each --set left out.
void read_with_changes(Variant& variant, run::ScenarioRequest request) {
  const auto leave_out = [&](std::vector<std::string>::iterator change) {
    variant.notes.push_back(
        fmt::format("{} has no parameter for --set {}, which is left out there", variant.name, *change));
    request.sets.erase(change);
  };
  while (true) {
    std::string where;
    try {
      variant.parameters = run::read_scenario(request);
    } catch (const Error& error) {
      where = error.where();
      if (!where.starts_with("--set ")) throw;
    }
    const ConfigNode made = where.empty() ? run::dump_scenario(variant.parameters) : ConfigNode{};
    const auto culprit =
        std::find_if(request.sets.begin(), request.sets.end(), [&](const std::string& change) {
          return where.empty() ? !is_of_its_part(made, change.substr(0, change.find('=')))
                               : where.starts_with("--set " + change);
        });
    if (culprit == request.sets.end()) {
      if (!where.empty()) variant.parameters = run::read_scenario(request);
      return;
    }
    leave_out(culprit);
  }
}

}  // namespace

FileKind kind_of_file(const std::string& file) {
  if (pack::is_pack(file)) return FileKind::result;
  const ConfigNode tree = parse_config_file(file);
  if (comparison::is_result(tree)) return FileKind::result;
  if (tree.find("ptx") && tree.find("steps"))
    throw Error(file, "this is a launch file, and no run", "--launch " + file);
  const bool scenario = tree.find("gpu") || tree.find("launch") || tree.find("like") || tree.find("with");
  return scenario ? FileKind::scenario : FileKind::other;
}

bool is_stored(const std::string& word) {
  return pack::is_pack(word) || (is_file(word) && kind_of_file(word) == FileKind::result);
}

Variant read_variant(const std::string& text, const run::ScenarioRequest& all) {
  const std::vector<std::string> parts = split_at_commas(text);
  std::vector<std::string> names = {parts[0]};
  if (!is_file(parts[0]) && !pack::is_pack(parts[0])) names = split_at_plus(parts[0]);
  Variant variant;
  variant.name = text;
  run::ScenarioRequest request = all;
  request.with.insert(request.with.end(), names.begin() + 1, names.end());
  request.sets.insert(request.sets.end(), parts.begin() + 1, parts.end());
  const std::string& base = names[0];
  if (run::is_file_name(base) || is_file(base) || pack::is_pack(base)) {
    const FileKind kind = kind_of_file(base);
    if (kind == FileKind::result) {
      if (names.size() > 1 || parts.size() > 1)
        throw Error("variant \"" + text + "\"", "a stored result takes neither techniques nor changes",
                    "heddle rerun repeats a run");
      variant.stored = pack::read_run(base);
      return variant;
    }
    (kind == FileKind::scenario ? request.scenario : request.gpu) = base;
  } else if (is_known("configs/gpu", base)) {
    request.gpu = base;
  } else if (is_known("configs/scenarios", base)) {
    request.scenario = run::find_scenario(base);
  } else {
    throw run::unknown_file(
        "variant \"" + text + "\"", "GPU preset or scenario", base,
        both(run::list_data("configs/gpu", ".json"), run::list_data("configs/scenarios", ".json")));
  }
  variant.parameters = run::read_scenario(request);
  check_launch_and_gpu(variant.parameters, "variant \"" + text + "\"");
  return variant;
}

Variant read_against(const std::vector<std::string>& words, const run::ScenarioRequest& request,
                     const run::RunParameters& parameters) {
  std::vector<std::string> names;
  for (const std::string& word : words)
    for (const std::string& part : is_file(word) ? std::vector<std::string>{word} : split_at_commas(word))
      for (const std::string& name : is_file(part) ? std::vector<std::string>{part} : split_at_plus(part))
        names.push_back(name);
  Variant variant;
  variant.name = fmt::format("{}", fmt::join(names, "+"));
  run::ScenarioRequest other = request;
  other.launch = parameters.launch;
  other.with.clear();
  other.with_alone = true;
  const auto alone = [&names](const std::string& name, const char* what) {
    if (names.size() > 1)
      throw Error("--against", fmt::format("{} is {} and stands alone", name, what),
                  "techniques together, or one of: plain, a scenario, a result.json");
  };
  for (const std::string& name : names) {
    if (name == kPlain) {
      alone(name, "the run without techniques");
      // Price both runs with the technologies (price tables) of the run that has techniques, so that their
      // energies differ only because of the hardware.
      other.flags.emplace_back("power.technologies",
                               ConfigNode::make_texts(parameters.power.technologies, "--against"));
      other.flags.emplace_back("power.stand_back",
                               ConfigNode::make_texts(parameters.power.stand_back, "--against"));
      other.flags.emplace_back("power.corners",
                               ConfigNode::make_texts(parameters.power.corners, "--against"));
      continue;
    }
    FileKind kind = FileKind::other;
    std::string file = name;
    if (is_known(kTechniques, name)) {
      other.with.push_back(name);
      continue;
    }
    if (is_known("configs/scenarios", name)) file = run::find_scenario(name);
    if (!run::is_file_name(file) && !is_file(file) && !pack::is_pack(file))
      throw run::unknown_file("--against", "technique or scenario", name,
                              both({"plain"}, both(run::list_data(kTechniques, ".json"),
                                                   run::list_data("configs/scenarios", ".json"))));
    kind = kind_of_file(file);
    if (kind == FileKind::other) {
      other.with.push_back(name);
      continue;
    }
    alone(name, kind == FileKind::result ? "a stored result" : "a scenario");
    if (kind == FileKind::result) {
      variant.stored = pack::read_run(file);
      return variant;
    }
    other.scenario = file;
    other.with_alone = false;
    const ConfigNode tree = parse_config_file(file);
    if (tree.find("gpu") || tree.find("like")) other.gpu.clear();
  }
  read_with_changes(variant, other);
  if (!parameters.launch.empty()) check_launch_and_gpu(variant.parameters, "--against " + variant.name);
  std::string& folder = variant.parameters.output.folder;
  folder = parameters.output.folder.empty() ? "" : parameters.output.folder + "/against";
  variant.parameters.output.pipeline.file.clear();
  return variant;
}

std::string name_of_run(const run::RunParameters& parameters) {
  return parameters.techniques.empty() ? "this run"
                                       : fmt::format("{}", fmt::join(parameters.techniques, "+"));
}

}  // namespace heddle::cli
