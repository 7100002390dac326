// timeline.json must be valid JSON with one slice for each warp and each CTA. Slices of a track must nest,
// and the limit on the number of events must be kept.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/core/config_node.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

constexpr const char* kJson = "output.timeline_format=json";

struct Event {
  std::string phase, category, name;
  long long process = 0, thread = 0, begin = 0, length = 0;
};

struct Timeline {
  bool complete = false;
  std::vector<Event> events;
  std::uint64_t count(const std::string& category) const {
    return static_cast<std::uint64_t>(
        std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.category == category; }));
  }
};

Timeline read_timeline(const std::string& text) {
  const ConfigNode root = parse_config_text(text, "timeline.json");
  Timeline timeline;
  timeline.complete = root.find("otherData")->find("complete")->boolean;
  for (const ConfigNode& node : root.find("traceEvents")->items) {
    Event e;
    e.phase = node.find("ph")->text;
    e.name = node.find("name")->text;
    e.process = node.find("pid")->integer;
    e.thread = node.find("tid")->integer;
    if (e.phase == "X") {
      e.category = node.find("cat")->text;
      e.begin = node.find("ts")->integer;
      e.length = node.find("dur")->integer;
    }
    timeline.events.push_back(e);
  }
  return timeline;
}

TEST(Timeline, HasOneSliceAWarpAndCtaAndLaunch) {
  ObservedRun run("bfs", {"output.timeline=true", kJson, "gpu.sms=2"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  EXPECT_TRUE(timeline.complete);
  EXPECT_EQ(timeline.count("warp"), run.counter("sm.warps"));
  EXPECT_EQ(timeline.count("cta"), run.counter("sm.ctas"));
  EXPECT_EQ(timeline.count("launch"), run.session().result().launches.size());
  EXPECT_GT(timeline.count("state"), timeline.count("warp"));
}

TEST(Timeline, StatesFillTheLifeOfTheirWarp) {
  ObservedRun run("reduction", {"output.timeline=true", kJson});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  std::map<std::pair<long long, long long>, std::vector<Event>> open;
  bool barrier = false;
  for (const Event& e : timeline.events) {
    auto& states = open[{e.process, e.thread}];
    if (e.category == "state") {
      if (!states.empty()) {
        ASSERT_EQ(states.back().begin + states.back().length, e.begin);
      }
      states.push_back(e);
      barrier |= e.name == "barrier";
    } else if (e.category == "warp") {
      ASSERT_FALSE(states.empty());
      ASSERT_EQ(states.front().begin, e.begin);
      ASSERT_EQ(states.back().begin + states.back().length, e.begin + e.length);
      states.clear();
    }
  }
  EXPECT_TRUE(barrier);
}

// Counter tracks must show IPC, warps and power for each interval, and every change of a power domain. The
// IPC values must account for every instruction.
TEST(Timeline, CountersAreThoseOfTheRun) {
  ObservedRun run("reduction", {"output.timeline=true", kJson, "gpu.sm.gating.int.policy=conventional"});
  const ConfigNode root = parse_config_text(run.text("timeline.json"), "timeline.json");
  std::map<std::string, std::vector<std::pair<double, double>>> counters;
  double end = 0;
  bool waits_for_results = false;
  for (const ConfigNode& node : root.find("traceEvents")->items) {
    if (node.find("ph")->text == "X") end = std::max(end, node.find("ts")->number + node.find("dur")->number);
    waits_for_results |= node.find("name")->text == "dependence";
    if (node.find("ph")->text == "C")
      counters[node.find("name")->text].emplace_back(node.find("ts")->number,
                                                     node.find("args")->find("value")->number);
  }
  EXPECT_TRUE(waits_for_results);
  for (const char* name : {"IPC", "active warps", "resident warps", "power, mW"})
    EXPECT_GE(counters[name].size(), 2u) << name;
  double instructions = 0;
  const auto& ipc = counters["IPC"];
  for (std::size_t i = 0; i < ipc.size(); ++i)
    instructions += ipc[i].second * ((i + 1 < ipc.size() ? ipc[i + 1].first : end) - ipc[i].first);
  const auto issued = static_cast<double>(run.counter("sm.issue.issued"));
  EXPECT_NEAR(instructions, issued, 0.05 * issued);
  std::size_t domains = 0, changes = 0;
  for (const auto& [name, values] : counters) {
    if (name.find("power (0 on") == std::string::npos) continue;
    ++domains;
    changes += values.size();
  }
  EXPECT_GE(domains, 2u);
  EXPECT_GT(changes, 2 * domains) << "they sleep and wake";
}

TEST(Timeline, IsBounded) {
  ObservedRun run("reduction", {"output.timeline=true", kJson, "output.timeline_limits.max_slices=50"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  EXPECT_FALSE(timeline.complete);
  EXPECT_EQ(
      timeline.count("state") + timeline.count("warp") + timeline.count("cta") + timeline.count("launch"),
      50u);
}

TEST(Timeline, KeepsToItsWindow) {
  ObservedRun run("reduction", {"output.timeline=true", kJson, "output.timeline_limits.from_cycle=2000",
                                "output.timeline_limits.to_cycle=3000"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  EXPECT_GT(timeline.count("state"), 0u);
  for (const Event& e : timeline.events)
    if (e.phase == "X") {
      EXPECT_GE(e.begin + e.length, 2000) << e.name;
      EXPECT_LE(e.begin, 3000) << e.name;
    }
}

}  // namespace
}  // namespace heddle::output
