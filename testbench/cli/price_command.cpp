// heddle price: computes the energies of a stored run with other technologies, without a simulation.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/output/pricing.h"
#include "testbench/output/progress_line.h"
#include "testbench/output/result_file.h"
#include "testbench/output/stored_table.h"
#include "testbench/output/terminal_text.h"
#include "testbench/pack/opened_pack.h"
#include "testbench/run/account_tables.h"
#include "testbench/run/data_files.h"
#include "testbench/run/out_folder.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct PriceOptions {
  std::shared_ptr<OptionValues> shared;
  std::string result;
};

// Throws Error for a --set outside of `power`: other parameters would not fit the stored counters.
void check_sets(const std::vector<std::string>& sets) {
  for (const std::string& set : sets)
    if (!set.starts_with("power."))
      throw Error("--set " + set, "heddle price cannot take it: a stored run keeps its counters",
                  "parameters of power; heddle run --set " + set);
}

output::StoredRun read_stored_run(const std::string& file) {
  output::StoredRun stored{file, parse_config_file(file), {}};
  output::result_format(stored.result);
  stored.stats_csv =
      output::stored_table(stored.result, fs::path(file).parent_path().string(), "stats.csv").value_or("");
  return stored;
}

// Applies --account: the account's technologies replace the technologies of the stored run. --technology and
// --set power.technologies are applied later, so they override the account.
void add_account(run::ScenarioRequest& request, const OptionValues& shared, const ConfigNode& result) {
  if (!shared.given("--account") || shared.given("--technology")) return;
  std::vector<ConfigNode> names;
  if (const ConfigNode* techniques = result.find("techniques")) names = techniques->items;
  const run::Techniques techniques(names, {});
  request.flags.emplace_back(
      "power.technologies",
      ConfigNode::make_texts(run::account_tables(shared.text("--account"), techniques), "--account"));
}

int price_result(const PriceOptions& options) {
  options.shared->check();
  if (pack::is_pack(options.result))
    throw Error(options.result, "this is a pack",
                fmt::format("heddle unpack {} --out FOLDER, then heddle price FOLDER/run/result.json",
                            options.result));
  const output::StoredRun stored = read_stored_run(options.result);
  const ConfigNode* configuration = stored.result.find("configuration");
  if (!configuration) throw Error(options.result, "no \"configuration\"", "a result.json of heddle run");
  run::ScenarioRequest request = options.shared->request();
  check_sets(request.sets);
  const std::string& into = options.shared->text("--out");
  request.flags.emplace_back("output.folder", ConfigNode::make_string(into, "--out"));
  add_account(request, *options.shared, stored.result);
  const run::RunParameters parameters = run::read_scenario_tree(*configuration, request);
  const std::string folder = into.empty() ? fs::path(options.result).parent_path().string() : into;
  // Create the folder before paths are made relative to this folder, because a missing folder would give
  // other paths.
  std::unique_ptr<run::OutFolder> out_folder;
  if (!into.empty()) out_folder = std::make_unique<run::OutFolder>(into);
  output::ProgressLine progress(!options.shared->given("--quiet"));
  progress.say("prices " + options.result);
  const output::PricedRun priced = output::price(stored, parameters, folder);
  progress.clear();
  if (out_folder) {
    run::OutFolder& out = *out_folder;
    std::vector<std::string> read = {options.result};
    for (const ConfigNode& input : priced.result.find("inputs")->items)
      read.push_back((fs::path(folder) / input.find("file")->text).string());
    out.expect({"result.json", "stats.csv", "energy.csv"}, read, "--out");
    launch::NewFile& result = out.add("result.json");
    if (!stored.stats_csv.empty()) out.add_table("stats.csv").write(stored.stats_csv);
    if (!priced.energy_csv.empty()) out.write("energy.csv", priced.energy_csv);
    ConfigNode named = priced.result;
    output::add_files(named, out);
    result.write(to_json(named));
    out.commit();
  }
  for (const std::string& note : priced.notes) fmt::print(stderr, "warning: {}\n", note);
  if (options.shared->given("--json"))
    fmt::print("{}", to_json(priced.result));
  else if (!options.shared->given("--quiet"))
    output::print_wrapped(priced.summary.empty() ? "no technology is named: no energies\n" : priced.summary);
  return kSuccess;
}

}  // namespace

Action add_price(CLI::App& app) {
  auto options = std::make_shared<PriceOptions>();
  app.add_option("result", options->result, "result.json of a run")->required();
  options->shared = add_shared_options(app, Command::price);
  return [options] { return price_result(*options); };
}

}  // namespace heddle::cli
