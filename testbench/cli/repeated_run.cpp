#include "testbench/cli/repeated_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "models/core/error.h"
#include "testbench/launch/new_file.h"
#include "testbench/output/result_file.h"
#include "testbench/run/energy_setup.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

constexpr std::int64_t kEveryLaunch = 1000000;

std::string place_of(const ConfigNode& input, const std::string& result) {
  const ConfigNode *file = input.find("file"), *hash = input.find("fnv1a64");
  if (!file || !hash) throw Error(input.where(), "not an input", "{\"file\": ..., \"fnv1a64\": ...}");
  return run::present_technology(
      (std::filesystem::path(result).parent_path() / file->text).lexically_normal().string());
}

const ConfigNode& inputs_of(const ConfigNode& result, const std::string& path) {
  const ConfigNode* inputs = result.find("inputs");
  if (!inputs || !inputs->is_array() || inputs->items.empty())
    throw Error(path, "no list \"inputs\" of what the run read", "a result.json of heddle run");
  return *inputs;
}

void report_change(const std::string& place, const std::string& what, bool known_only) {
  if (!known_only) throw Error(place, what);
  fmt::print("warning: {}: {}\n", place, what);
}

}  // namespace

void check_unchanged(const ConfigNode& result, const std::string& path, bool known_only) {
  for (const ConfigNode& item : inputs_of(result, path).items) {
    const std::string place = place_of(item, path);
    if (launch::hash_of_file(place) != item.find("fnv1a64")->text)
      report_change(place, "this file has changed since the run of " + path, known_only);
  }
  if (const ConfigNode* version = result.find("heddle"); version && version->text != HEDDLE_VERSION)
    fmt::print("warning: the result was made by version {}, this is {}\n", version->text, HEDDLE_VERSION);
}

void check_complete(const ConfigNode& result, const run::RunSession& session, const std::string& path,
                    bool known_only) {
  const ConfigNode& inputs = inputs_of(result, path);
  for (const run::InputFile& input : session.inputs()) {
    const bool listed = std::any_of(inputs.items.begin(), inputs.items.end(), [&](const ConfigNode& item) {
      std::error_code ec;
      return std::filesystem::equivalent(place_of(item, path), input.path, ec);
    });
    if (!listed)
      report_change(input.path, "the \"inputs\" of " + path + " do not name this file", known_only);
  }
}

run::RunParameters repeated_parameters(const ConfigNode& result, const std::string& path,
                                       const std::string& out) {
  run::ScenarioRequest request;
  request.flags.emplace_back("output.folder", ConfigNode::make_string(out, "--out"));
  // A result of format 1 lists every launch. For the comparison, the repeated run must list every launch too.
  if (output::result_format(result) == 1)
    request.flags.emplace_back("output.launches_in_full", ConfigNode::make_integer(kEveryLaunch, path));
  return run::read_scenario_tree(*result.find("configuration"), request);
}

ConfigNode read_result(const std::string& path) {
  ConfigNode result = parse_config_file(path);
  output::result_format(result);
  if (result.find("command"))
    throw Error(path, "this is the program.json of a program, which heddle exec runs again",
                "a result.json of heddle run");
  if (!result.find("configuration")) throw Error(path, "no \"configuration\"", "a result.json of heddle run");
  if (const ConfigNode* interrupted = result.find("interrupted"); interrupted && interrupted->boolean)
    throw Error(path, "this run was ended early; there is nothing to compare with");
  return result;
}

}  // namespace heddle::cli
