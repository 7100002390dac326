// heddle run: one scenario, or a launch file on a preset.

#include <CLI/CLI.hpp>
#include <memory>

#include "models/core/error.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/run_options.h"
#include "testbench/cli/variants.h"
#include "testbench/run/data_files.h"

namespace heddle::cli {
namespace {

// A launch file in a scenario's place is told by its keys.
void refuse_launch_file(const std::string& name) {
  if (name.empty()) return;
  const std::string file = run::find_scenario(name);
  const ConfigNode tree = parse_config_file(file);
  if (tree.find("ptx") && tree.find("steps"))
    throw Error(file, "this is a launch file, and no scenario", "--launch " + name + " --gpu PRESET");
}

}  // namespace

Action add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  app.add_option("scenario", options->scenario, "scenario file (configs/scenarios/*.json)");
  options->add_configuration(app);
  options->add_output(app);
  app.add_option(
         "--against", options->against,
         "print the run beside another one: plain (without techniques), other techniques, a scenario, a "
         "result.json; may be given again")
      ->type_size(1)
      ->allow_extra_args(false);
  return [options] {
    refuse_launch_file(options->scenario);
    run::RunParameters parameters = run::read_scenario(options->request());
    if (parameters.launch.empty())
      throw Error(options->scenario.empty() ? "command line" : options->scenario, "no launch file is named",
                  "a scenario with \"launch\": \"FILE\", or --launch FILE");
    if (parameters.gpu.name.empty())
      throw Error(options->scenario.empty() ? "command line" : options->scenario, "no GPU is named",
                  "a scenario with \"gpu\": \"PRESET\", or --gpu PRESET");
    const Printed printed = options->json    ? Printed::json
                            : options->quiet ? Printed::nothing
                                             : Printed::summary;
    if (options->against.empty()) return run_on_terminal(parameters, printed);
    const Variant against = read_against(options->against, options->request(), parameters);
    if (against.stored) parameters.read_from.push_back(against.stored->file);
    return run_on_terminal(parameters, printed, &against);
  };
}

}  // namespace heddle::cli
