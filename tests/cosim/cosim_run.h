#pragma once

// Executes small runs on one SM with co-simulated RTL blocks.

#include <map>
#include <string>
#include <vector>

#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle::cosim {

struct RunOutcome {
  std::map<std::string, std::uint64_t> counters;
  std::vector<std::string> notes;
  bool equal = false;
};

inline run::RunParameters cosim_parameters(const std::string& kernel, const std::string& gpu,
                                           const std::string& policy, const std::string& mode,
                                           const std::vector<std::string>& sets) {
  run::ScenarioRequest request;
  request.gpu = gpu;
  request.launch = testing_support::small_launch(kernel);
  request.with = testing_support::techniques_of(kernel);
  request.sets = {"gpu.sms=1", "watch.check=off", "cosim.mode=" + mode, "power.technologies=[]"};
  for (const char* unit : {"int", "fp", "sfu", "ldst"})
    request.sets.push_back(std::string("gpu.sm.gating.") + unit + ".policy=" + policy);
  if (run::needs_matrix_units(kernel)) request.sets.push_back("gpu.sm.gating.matrix.policy=" + policy);
  request.sets.insert(request.sets.end(), sets.begin(), sets.end());
  return run::read_scenario(request);
}

/// Runs `kernel` with the gating policy `policy` for every unit class, with co-simulated RTL. Returns all
/// counters.
inline RunOutcome run_beside(const std::string& kernel, const std::string& gpu, const std::string& policy,
                             const std::string& mode, const std::vector<std::string>& sets) {
  const testing_support::Simulation simulation;
  run::RunSession session(cosim_parameters(kernel, gpu, policy, mode, sets));
  RunOutcome outcome;
  outcome.equal = session.run().equal;
  for (const CounterInfo& info : session.stats().counters())
    outcome.counters[info.full_name()] = info.counter->value();
  if (session.co_simulation()) outcome.notes = session.co_simulation()->notes();
  return outcome;
}

/// settings of the technique Origami: folding in short phases, lane shifting, and Origami's scheduler
inline const std::vector<std::string> kOrigami = {
    R"(gpu.sm.scheduler={"type":"origami","phase_cycles":40})",
    R"(gpu.sm.folding.policy={"type":"phased","phase_cycles":30,"busy_percent":50})",
    R"(gpu.sm.folding.lane_shift="pack")",
    "gpu.sm.issue_width=2",
    "gpu.sm.schedulers_per_partition=1",
    R"(gpu.sm.gating.int.granularity="lane")",
    R"(gpu.sm.gating.fp.granularity="quad-half")"};

/// setting of a core with a scoreboard instead of control bits; `consumers`: number of pending
/// readers of a register up to which the scoreboard counts
inline std::string core_scoreboard(const std::string& consumers) {
  return R"(gpu.sm.constraints=[{"type":"consumer-scoreboard","consumers":)" + consumers +
         R"(},"collector-free","latch-free","unit-gated"])";
}

inline const char* const kGatesDualIssue = R"(gpu.sm.scheduler={"type":"gates","active_warps":12})";

}  // namespace heddle::cosim
