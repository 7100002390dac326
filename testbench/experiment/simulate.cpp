#include "testbench/experiment/simulate.h"

#include <memory>

#include "testbench/output/result_file.h"
#include "testbench/output/run_outputs.h"

namespace heddle::experiment {

ConfigNode simulate(const run::RunParameters& parameters) {
  RunOutputs outputs(parameters.output);
  std::unique_ptr<run::RunSession> session;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) {
    outputs.attach(gpu, session->stats(), session->energy(), session->co_simulation());
  };
  hooks.on_launch = [&](const isa::KernelLaunch& launch) { outputs.launch_begins(launch); };
  hooks.on_launch_end = [&](const run::LaunchRecord& record) { outputs.launch_ended(record); };
  hooks.on_interval = [&](Cycle cycle) { outputs.interval(cycle); };
  session = std::make_unique<run::RunSession>(parameters, hooks);
  outputs.check_files(*session);
  session->run();
  outputs.finish(*session);
  ConfigNode result = output::make_result(*session, parameters.output.folder);
  ConfigNode analyses = outputs.analyses();
  if (!analyses.members.empty()) result.members.emplace_back("analysis", std::move(analyses));
  return result;
}

std::string check_of(const ConfigNode& result) {
  const ConfigNode& check = *result.find("check");
  if (!check.find("checked")->boolean) return "unchecked";
  return check.find("equal")->boolean ? "equal" : "DIFFERENT";
}

}  // namespace heddle::experiment
