#include "testbench/experiment/simulate.h"

#include <map>
#include <memory>
#include <string>

#include "testbench/output/profile_counts.h"
#include "testbench/output/result_file.h"
#include "testbench/output/run_outputs.h"
#include "testbench/run/energy_setup.h"

namespace heddle::experiment {
namespace {

// Returns two kinds of numbers for each kernel and PTX line: the number of issued instructions, and, for each
// cause of a wait, the number of cycles for which warps waited. PTX lines are used because all variants have
// the same PTX, but different compiled instructions.
ConfigNode profile_tree(const std::vector<output::ProgramProfile>& profiles) {
  const auto count = [](std::uint64_t n) { return ConfigNode::make_count(n); };
  ConfigNode kernels = ConfigNode::make_object();
  for (const output::ProgramProfile& profile : profiles) {
    std::map<std::uint32_t, std::pair<std::string, output::InstructionCounts>> lines;
    for (std::size_t i = 0; i < profile.instructions.size(); ++i) {
      const isa::Instruction& instruction = profile.program->code[i];
      auto& [text, counts] = lines[instruction.location.ptx_line];
      if (text.empty()) text = to_string(instruction);
      counts.add(profile.instructions[i]);
    }
    ConfigNode kernel = ConfigNode::make_object();
    for (const auto& [line, entry] : lines) {
      ConfigNode node = ConfigNode::make_object();
      node.members = {{"instruction", ConfigNode::make_string(entry.first)},
                      {"issues", count(entry.second.issues)}};
      for (std::size_t r = 0; r < entry.second.waits.size(); ++r)
        node.members.emplace_back(name_of(static_cast<output::WaitReason>(r)), count(entry.second.waits[r]));
      kernel.members.emplace_back(std::to_string(line), std::move(node));
    }
    kernels.members.emplace_back(profile.program->kernel, std::move(kernel));
  }
  return kernels;
}

}  // namespace

ConfigNode simulate(const run::RunParameters& parameters, const std::vector<run::RunParameters>& priced) {
  RunOutputs outputs(parameters.output);
  std::unique_ptr<run::RunSession> session;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu&) {
    for (const run::RunParameters& price : priced)
      run::make_energy_account(run::read_technologies(price), price, session->stats());
    outputs.attach(*session);
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
  if (parameters.output.profile) result.members.emplace_back("profile", profile_tree(outputs.profiles()));
  return result;
}

std::string check_of(const ConfigNode& result) {
  const ConfigNode& check = *result.find("check");
  if (const ConfigNode* findings = check.find("findings"); findings && findings->integer != 0)
    return "FINDINGS";
  if (!check.find("checked")->boolean) return "unchecked";
  return check.find("equal")->boolean ? "equal" : "DIFFERENT";
}

}  // namespace heddle::experiment
