// heddle rerun: repeats the run of a result.json and compares; or compares with a repetition that stands already.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/output/result_file.h"
#include "testbench/run/new_file.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

constexpr std::size_t kShown = 10;

// Collects the paths at which two trees differ; with `known_only` what only the second one has is no difference.
void compare(const ConfigNode& a, const ConfigNode& b, bool known_only, const std::string& path,
             std::vector<std::string>& out) {
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, member] : a.members) {
      const ConfigNode* other = b.find(key);
      if (other)
        compare(member, *other, known_only, path + "." + key, out);
      else
        out.push_back(fmt::format("{}.{} is missing now", path, key));
    }
    for (const auto& [key, member] : b.members)
      if (!known_only && !a.find(key)) out.push_back(fmt::format("{}.{} is new", path, key));
    return;
  }
  if (a.is_array() && b.is_array() && a.items.size() == b.items.size()) {
    for (std::size_t i = 0; i < a.items.size(); ++i)
      compare(a.items[i], b.items[i], known_only, fmt::format("{}[{}]", path, i), out);
    return;
  }
  std::string was = to_json(a), is = to_json(b);
  if (was == is) return;
  std::erase(was, '\n');
  std::erase(is, '\n');
  out.push_back(fmt::format("{} was {}, is {}", path, was, is));
}

// Among results of an older program a changed input is said; whether it matters, the comparison tells.
void check_inputs(const ConfigNode& result, const std::string& path, bool known_only) {
  const ConfigNode* inputs = result.find("inputs");
  if (!inputs || !inputs->is_array()) throw Error(path, "no list \"inputs\"", "a result.json of heddle run");
  for (const ConfigNode& item : inputs->items) {
    const ConfigNode *file = item.find("file"), *hash = item.find("fnv1a64");
    if (!file || !hash) throw Error(item.where(), "not an input", "{\"file\": ..., \"fnv1a64\": ...}");
    const std::string place =
        (std::filesystem::path(path).parent_path() / file->text).lexically_normal().string();
    if (run::hash_of_file(place) == hash->text) continue;
    if (!known_only) throw Error(place, "this file has changed since the run of " + path);
    fmt::print("warning: {}: this file has changed since the run of {}\n", place, path);
  }
}

ConfigNode read_result(const std::string& path) {
  ConfigNode result = parse_config_file(path);
  if (!result.find("configuration")) throw Error(path, "no \"configuration\"", "a result.json of heddle run");
  if (const ConfigNode* interrupted = result.find("interrupted"); interrupted && interrupted->boolean)
    throw Error(path, "this run was ended early; there is nothing to compare with");
  return result;
}

struct Options {
  std::string result, out, made;
  bool known_only = false, counters = false;
};

// Runs what the configuration of `first` says; writes the new result where the options want one.
ConfigNode repeat(const ConfigNode& first, const Options& options) {
  check_inputs(first, options.result, options.known_only);
  if (const ConfigNode* version = first.find("heddle"); version && version->text != HEDDLE_VERSION)
    fmt::print("warning: {} was made by version {}, this is {}\n", options.result, version->text,
               HEDDLE_VERSION);
  run::ScenarioRequest request;
  request.flags.emplace_back("output.folder", ConfigNode::make_string(options.out, "--out"));
  const run::RunParameters parameters = run::read_scenario_tree(*first.find("configuration"), request);
  run::RunSession session(parameters);
  if (!options.out.empty()) {
    std::vector<std::string> inputs = {options.result};
    for (const run::InputFile& input : session.inputs()) inputs.push_back(input.path);
    run::check_overwrites_no_input({options.out + "/result.json"}, inputs, "--out");
  }
  session.run();
  const std::string folder = std::filesystem::path(options.result).parent_path().string();
  ConfigNode second = output::make_result(session, folder);
  if (!options.out.empty()) {
    std::error_code ec;
    std::filesystem::create_directories(options.out, ec);
    run::write_text(options.out + "/result.json", to_json(output::make_result(session, options.out)));
  }
  return second;
}

// What stands in a launch or in the sum of all beside its cycles and counters: priced afterwards, or worked out of these.
void keep_counters(ConfigNode& part) {
  std::erase_if(part.members,
                [](const auto& member) { return member.first == "energy" || member.first == "metrics"; });
  for (ConfigNode& item : part.items) keep_counters(item);
}

int rerun(const Options& options) {
  ConfigNode first = read_result(options.result);
  ConfigNode second = options.made.empty() ? repeat(first, options) : read_result(options.made);
  std::vector<std::string> differences;
  for (const char* part : {"check", "launches", "total"}) {
    ConfigNode *a = first.find(part), *b = second.find(part);
    if (!a) throw Error(options.result, fmt::format("no \"{}\"", part), "a result.json of heddle run");
    if (!b) throw Error(options.made, fmt::format("no \"{}\"", part), "a result.json of heddle run");
    if (options.counters)
      for (ConfigNode* node : {a, b}) keep_counters(*node);
    compare(*a, *b, options.known_only, part, differences);
  }
  if (differences.empty()) {
    fmt::print("equal: all {}counters of {} launches\n", options.known_only ? "recorded " : "",
               first.find("launches")->items.size());
    return kSuccess;
  }
  for (std::size_t i = 0; i < std::min(kShown, differences.size()); ++i) fmt::print("{}\n", differences[i]);
  fmt::print("different: {} values\n", differences.size());
  return kDifferent;
}

}  // namespace

Action add_rerun(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("result", options->result, "result.json of an earlier run")->required();
  app.add_option("--out", options->out, "folder for the new result.json");
  app.add_flag("--known-only", options->known_only,
               "counters that the earlier run does not have are no difference");
  app.add_flag("--counters", options->counters, "cycles and counters alone are compared, no energies");
  app.add_option("--made", options->made,
                 "result.json of a repetition that stands already: compared, nothing runs")
      ->excludes("--out");
  return [options] { return rerun(*options); };
}

}  // namespace heddle::cli
