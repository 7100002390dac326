// timeline.json: valid JSON, one slice a warp and a CTA, slices of a track nest, the bound is kept.

#include <gtest/gtest.h>

#include <algorithm>

#include "models/core/config_node.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

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
  ObservedRun run("bfs", {"output.timeline=true", "gpu.sms=2"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  EXPECT_TRUE(timeline.complete);
  EXPECT_EQ(timeline.count("warp"), run.counter("sm.warps"));
  EXPECT_EQ(timeline.count("cta"), run.counter("sm.ctas"));
  EXPECT_EQ(timeline.count("launch"), run.session().result().launches.size());
  EXPECT_GT(timeline.count("state"), timeline.count("warp"));
}

TEST(Timeline, StatesFillTheLifeOfTheirWarp) {
  ObservedRun run("reduction", {"output.timeline=true"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  // States of a track come in order and end with the slice of their warp.
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

TEST(Timeline, IsBounded) {
  ObservedRun run("reduction", {"output.timeline=true", "output.timeline_limits.max_slices=50"});
  const Timeline timeline = read_timeline(run.text("timeline.json"));
  EXPECT_FALSE(timeline.complete);
  EXPECT_EQ(
      timeline.count("state") + timeline.count("warp") + timeline.count("cta") + timeline.count("launch"),
      50u);
}

TEST(Timeline, KeepsToItsWindow) {
  ObservedRun run("reduction", {"output.timeline=true", "output.timeline_limits.from_cycle=2000",
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
