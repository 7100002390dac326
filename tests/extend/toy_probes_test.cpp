// An observer must find plug-ins in the SM's list of probe points. It must receive their decisions and may
// replace them. An observer that replaces nothing must not change the counters.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/gpu/gpu.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"
#include "tests/extend/toy_points.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

struct SeenRun {
  std::map<std::string, std::uint64_t> counters;
  std::set<std::string> paths;
  bool equal = false;
  std::uint64_t sum(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const auto& [counter, value] : counters)
      if (counter.ends_with(name)) sum += value;
    return sum;
  }
};

/// Runs the kernel scan with a plug-in and an observer (or nullptr) at each of its probe points.
template <class Point>
SeenRun run_seen(const std::string& part, typename Probe<Point>::Observer observer) {
  const testing_support::Simulation simulation;
  run::ScenarioRequest request;
  request.gpu = "fermi-gtx480";
  request.launch = "testbench/kernels/scan/small.json";
  request.sets = {"gpu.sms=1", "watch.check=on", "power.technologies=[]", part,
                  R"(compiler.passes=["fold-parameters",{"type":"toy-scatter","every":2}])"};
  SeenRun outcome;
  run::RunHooks hooks;
  hooks.on_built = [&](Gpu& gpu) {
    ProbeList list;
    gpu.sm(0).probes(ProbeScope(list, "sm0"));
    for (const ProbeList::Part& found : list.parts)
      for (ProbePoint* point : found.points)
        if (Probe<Point>* probe = point->as<Point>()) {
          outcome.paths.insert(found.path);
          if (observer) probe->attach(observer);
        }
  };
  run::RunSession session(run::read_scenario(request), hooks);
  outcome.equal = session.run().equal;
  for (const CounterInfo& info : session.stats().counters())
    outcome.counters[info.full_name()] = info.counter->value();
  return outcome;
}

TEST(ToyProbes, BesideAFrontEndStage) {
  const std::string echo = R"(gpu.sm.front_end.stages=[{"type":"toy-echo","entries":64}])";
  const SeenRun alone = run_seen<EchoPoint>(echo, nullptr);
  EXPECT_EQ(alone.paths, std::set<std::string>{"sm0.front_end.stage0_toy_echo"});
  EXPECT_GT(alone.sum("toy-echo.held"), 0u);

  std::uint64_t held = 0, asked = 0;
  const SeenRun seen = run_seen<EchoPoint>(echo, [&](const EchoPoint::View&, bool* answer) {
    held += *answer;
    ++asked;
  });
  EXPECT_EQ(seen.counters, alone.counters);
  EXPECT_EQ(held, alone.sum("toy-echo.held"));

  const SeenRun driven =
      run_seen<EchoPoint>(echo, [](const EchoPoint::View&, bool* answer) { *answer = false; });
  EXPECT_TRUE(driven.equal);
  EXPECT_EQ(driven.sum("toy-echo.held"), 0u);
  EXPECT_GT(asked, held);
  EXPECT_GT(driven.sum("front_end.metadata_decodes"), alone.sum("front_end.metadata_decodes"));
}

TEST(ToyProbes, BesideAnIssueConstraint) {
  const std::string file =
      R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","toy-single-file"])";
  const SeenRun alone = run_seen<SingleFilePoint>(file, nullptr);
  EXPECT_EQ(alone.paths, std::set<std::string>{"sm0.issue.constraint3_toy_single_file"});
  EXPECT_GT(alone.sum("idle_single-file"), 0u);

  std::uint64_t refused = 0;
  const SeenRun seen =
      run_seen<SingleFilePoint>(file, [&](const SingleFilePoint::View& view, WarpSet* answer) {
        EXPECT_EQ(*answer & ~view.asked.candidates, WarpSet(0));
        refused += static_cast<std::uint64_t>(answer->count());
      });
  EXPECT_EQ(seen.counters, alone.counters);
  EXPECT_GT(refused, 0u);

  const SeenRun driven =
      run_seen<SingleFilePoint>(file, [](const SingleFilePoint::View&, WarpSet* answer) { *answer = 0; });
  EXPECT_TRUE(driven.equal);
  EXPECT_EQ(driven.sum("idle_single-file"), 0u);
}

}  // namespace
}  // namespace heddle
