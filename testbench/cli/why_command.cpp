// heddle why: explains what the cycles and the energy of a stored run are spent on, or why two stored runs
// differ.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "testbench/cli/commands.h"
#include "testbench/output/terminal_text.h"
#include "testbench/pack/contents.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/why/why_text.h"

namespace heddle::cli {
namespace {

struct WhyOptions {
  std::string result, against, rules;
  bool json = false;
};

// A stored run: its result.json, the causes of its cycles, and the pack from which it was read, if any.
struct StoredRun {
  StoredRun(const std::string& name, const why::RuleSet& rules) {
    if (pack::is_pack(name)) opened.emplace(name);
    const std::string file = pack::result_file(opened ? opened->result() : name);
    folder = std::filesystem::path(file).parent_path().string();
    tree = parse_config_file(file);
    causes = why::causes_of(tree, rules, why::Places(tree, folder), name);
  }
  std::optional<pack::OpenedPack> opened;
  std::string folder;
  ConfigNode tree;
  why::Causes causes;
};

int explain(const WhyOptions& options) {
  const why::RuleSet rules = why::rules_with(options.rules);
  const StoredRun own(options.result, rules);
  if (options.against.empty()) {
    if (options.json)
      fmt::print("{}", to_json(why::tree_of(own.causes)));
    else
      output::print_wrapped(why::text_of(own.causes));
    return kSuccess;
  }
  const StoredRun other(options.against, rules);
  why::check_comparable(
      {comparison::compared_run(options.result, own.tree, own.folder, options.result),
       comparison::compared_run(options.against, other.tree, other.folder, options.against)});
  const why::Differences differences = why::differences(own.causes, other.causes);
  if (options.json)
    fmt::print("{}", to_json(why::tree_of(differences)));
  else
    output::print_wrapped(
        why::text_of(own.causes, other.causes, differences, options.result, options.against));
  return kSuccess;
}

}  // namespace

Action add_why(CLI::App& app) {
  auto options = std::make_shared<WhyOptions>();
  app.add_option("result", options->result,
                 "result.json, program.json, the folder of a run or a program, or a pack")
      ->required();
  app.add_option("--against", options->against, "another run of the same launches: state why the two differ");
  app.add_option("--rules", options->rules, "a file of own rules, which come before those of configs/rules");
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return explain(*options); };
}

}  // namespace heddle::cli
