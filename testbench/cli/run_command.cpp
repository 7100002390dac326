// heddle run: runs one scenario, or a launch file on a preset.

#include <CLI/CLI.hpp>
#include <memory>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/option_values.h"
#include "testbench/cli/run_on_terminal.h"
#include "testbench/cli/variants.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

// Throws Error if the file's keys show that it is a launch file and not a scenario.
void refuse_launch_file(const std::string& name) {
  if (name.empty()) return;
  const std::string file = run::find_scenario(name);
  const ConfigNode tree = parse_config_file(file);
  if (tree.find("ptx") && tree.find("steps"))
    throw Error(file, "this is a launch file, and no scenario", "--launch " + name + " --gpu PRESET");
}

}  // namespace

Action add_run(CLI::App& app) {
  auto scenario = std::make_shared<std::string>();
  app.add_option("scenario", *scenario, "scenario file (configs/scenarios/*.json)");
  const auto values = add_shared_options(app, Command::run);
  return [scenario, values] {
    refuse_launch_file(*scenario);
    const run::ScenarioRequest request = values->request(*scenario);
    run::RunParameters parameters = run::read_scenario(request);
    const std::string where = scenario->empty() ? "command line" : *scenario;
    if (parameters.launch.empty())
      throw Error(where, "no launch file is named", "a scenario with \"launch\": \"FILE\", or --launch FILE");
    if (parameters.gpu.name.empty())
      throw Error(where, "no GPU is named", "a scenario with \"gpu\": \"PRESET\", or --gpu PRESET");
    values->check_outputs(parameters.output);
    const Printed printed = values->given("--json")    ? Printed::json
                            : values->given("--quiet") ? Printed::nothing
                                                       : Printed::summary;
    if (!values->given("--against")) return run_on_terminal(parameters, printed);
    const Variant against = read_against(values->texts("--against"), request, parameters);
    if (against.stored) parameters.read_from.push_back(against.stored->file);
    return run_on_terminal(parameters, printed, &against);
  };
}

}  // namespace heddle::cli
