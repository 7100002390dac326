// heddle price: the energies of a stored run with other technologies; nothing is simulated.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "models/core/error.h"
#include "models/core/read_file.h"
#include "testbench/cli/commands.h"
#include "testbench/output/pricing.h"
#include "testbench/output/result_file.h"
#include "testbench/run/data_files.h"
#include "testbench/run/out_folder.h"
#include "testbench/run/scenario.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct PriceOptions {
  std::string result, out;
  std::vector<std::string> technologies, stand_back, corners;
  bool json = false;
};

output::StoredRun read_stored_run(const std::string& file) {
  output::StoredRun stored{file, parse_config_file(file), {}};
  output::result_format(stored.result);
  const fs::path stats = fs::path(file).parent_path() / "stats.csv";
  if (fs::exists(stats)) stored.stats_csv = read_text_file(stats.string(), "the counters of a run");
  return stored;
}

ConfigNode with_files_named(ConfigNode result, const std::vector<std::string>& files) {
  std::erase_if(result.members, [](const auto& one) { return one.first == "files"; });
  if (!files.empty()) result.members.emplace_back("files", ConfigNode::make_texts(files, "built-in"));
  return result;
}

int price_result(const PriceOptions& options) {
  const output::StoredRun stored = read_stored_run(options.result);
  const ConfigNode* configuration = stored.result.find("configuration");
  if (!configuration) throw Error(options.result, "no \"configuration\"", "a result.json of heddle run");
  run::ScenarioRequest request;
  request.flags.emplace_back("output.folder", ConfigNode::make_string(options.out, "--out"));
  if (!options.technologies.empty())
    request.flags.emplace_back("power.technologies",
                               ConfigNode::make_texts(options.technologies, "--technology"));
  if (!options.technologies.empty() || !options.stand_back.empty())
    request.flags.emplace_back("power.stand_back",
                               ConfigNode::make_texts(options.stand_back, "--stand-back"));
  if (!options.technologies.empty() || !options.corners.empty())
    request.flags.emplace_back("power.corners", ConfigNode::make_texts(options.corners, "--corner"));
  const run::RunParameters parameters = run::read_scenario_tree(*configuration, request);
  const std::string folder =
      options.out.empty() ? fs::path(options.result).parent_path().string() : options.out;
  // The folder first: paths relative to one that is not there would be others.
  std::unique_ptr<run::OutFolder> out_folder;
  if (!options.out.empty()) out_folder = std::make_unique<run::OutFolder>(options.out);
  const output::PricedRun priced = output::price(stored, parameters, folder);
  if (out_folder) {
    run::OutFolder& out = *out_folder;
    std::vector<std::string> read = {options.result};
    for (const ConfigNode& input : priced.result.find("inputs")->items)
      read.push_back((fs::path(folder) / input.find("file")->text).string());
    out.expect({"result.json", "stats.csv", "energy.csv"}, read, "--out");
    run::NewFile& result = out.add("result.json");
    if (!stored.stats_csv.empty()) out.write("stats.csv", stored.stats_csv);
    if (!priced.energy_csv.empty()) out.write("energy.csv", priced.energy_csv);
    result.write(to_json(with_files_named(priced.result, out.names())));
    out.commit();
  }
  for (const std::string& note : priced.notes) fmt::print(stderr, "warning: {}\n", note);
  if (options.json)
    fmt::print("{}", to_json(priced.result));
  else
    fmt::print("{}", priced.summary.empty() ? "no technology is named: no energies\n" : priced.summary);
  return kSuccess;
}

}  // namespace

Action add_price(CLI::App& app) {
  auto options = std::make_shared<PriceOptions>();
  app.add_option("result", options->result, "result.json of a run")->required();
  app.add_option("--technology", options->technologies,
                 "a name in configs/technology, or a file; may be given again. These stand in place of the "
                 "run's (default: the run's own, as their files are now)")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--stand-back", options->stand_back,
                 "of these, one that prices only what no other one does; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option(
         "--corner", options->corners,
         "low, nominal or high: that end of every range; NAME=high: of one value's; NAME=0.5: another "
         "number; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  app.add_option("--out", options->out,
                 "folder for result.json, energy.csv and stats.csv with the new prices");
  app.add_flag("--json", options->json, "print result.json instead of the energies");
  return [options] { return price_result(*options); };
}

}  // namespace heddle::cli
