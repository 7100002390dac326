// protoc must be able to decode the timeline with the messages of Perfetto's format. The slices of the
// timeline must equal the profile, and its counters the intervals.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/output/decoded_trace.h"
#include "tests/output/observed_run.h"

namespace heddle::output::perfetto_test {
namespace {

const std::vector<std::string> kOn = {"output.timeline=true", "output.profile=true"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::uint64_t count(const DecodedTrace& trace, const std::string& category) {
  return static_cast<std::uint64_t>(std::count_if(
      trace.slices.begin(), trace.slices.end(), [&](const TraceSlice& s) { return s.category == category; }));
}

TEST(PerfettoTrace, SlicesByNameAreThoseOfTheProfile) {
  ObservedRun run("reduction", with(kOn, {"gpu.sms=2", "watch.sample.ctas=6"}));
  const DecodedTrace trace = decode_trace(run.file("timeline.pftrace"));
  std::map<std::string, std::uint64_t> waited, issued, wanted_issues;
  for (const TraceSlice& slice : trace.slices) {
    if (slice.category == "wait") waited[slice.name] += slice.end - slice.begin;
    if (slice.category == "issue") ++issued[slice.name];
    if (slice.category != "wait" && slice.category != "issue") continue;
    EXPECT_EQ(slice.depth > 0, true) << slice.name << " is outside of a warp";
    EXPECT_TRUE(slice.arguments.contains("lanes"));
    EXPECT_TRUE(slice.arguments.at("line").starts_with("PTX:")) << slice.arguments.at("line");
    EXPECT_FALSE(slice.arguments.at("instruction").empty());
  }
  const auto profile = read_csv(run.text("profile.csv"));
  for (const char* reason : {"dependence", "memory", "fetch", "barrier", "fence"})
    EXPECT_EQ(waited[reason], sum_of(profile, std::string("wait_") + reason)) << reason;
  EXPECT_EQ(waited["not-picked"], sum_of(profile, "wait_not_picked"));
  for (const auto& row : profile)
    if (row.at("issues") != "0") wanted_issues[row.at("instruction")] += std::stoull(row.at("issues"));
  EXPECT_EQ(issued, wanted_issues);
  EXPECT_EQ(count(trace, "warp"), run.counter("sm.warps"));
  EXPECT_EQ(count(trace, "cta"), run.counter("sm.ctas"));
  EXPECT_EQ(count(trace, "launch"), run.session().result().launches.size());
  EXPECT_TRUE(trace.instants.empty()) << "no slice is missing";
}

TEST(PerfettoTrace, CountersAreThoseOfTheIntervals) {
  ObservedRun run("reduction", with(kOn, {"watch.interval_cycles=300", "watch.sample.ctas=6"}));
  const DecodedTrace trace = decode_trace(run.file("timeline.pftrace"));
  const auto rows = read_csv(run.text("intervals.csv"));
  ASSERT_GT(rows.size(), 5u);
  for (const auto& [counter, column] : {std::pair{"IPC", "ipc"},
                                        {"resident warps", "resident_warps"},
                                        {"active warps", "active_warps"},
                                        {"power, mW", "power_mw"}}) {
    const auto& values = trace.counters.at(counter);
    ASSERT_EQ(values.size(), rows.size()) << counter;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      EXPECT_EQ(values[r].first, std::stoull(rows[r].at("begin_cycle"))) << counter;
      const double wanted = std::stod(rows[r].at(column));
      EXPECT_NEAR(values[r].second, wanted, 5.1e-4 + 1e-4 * wanted) << counter << ", row " << r;
    }
  }
}

TEST(PerfettoTrace, FlowsLeadFromLoadsToTheirUses) {
  ObservedRun run("reduction", with(kOn, {"watch.sample.ctas=2"}));
  std::map<std::uint64_t, std::pair<const TraceSlice*, const TraceSlice*>> flows;
  const DecodedTrace trace = decode_trace(run.file("timeline.pftrace"));
  for (const TraceSlice& slice : trace.slices) {
    for (const std::uint64_t flow : slice.flows_from) flows[flow].first = &slice;
    for (const std::uint64_t flow : slice.flows_to) flows[flow].second = &slice;
  }
  EXPECT_GT(flows.size(), 20u);
  for (const auto& [flow, ends] : flows) {
    const auto& [load, use] = ends;
    ASSERT_TRUE(load && use) << flow;
    EXPECT_TRUE(load->name.find("ld.") != std::string::npos || load->name.find("atom") != std::string::npos)
        << load->name;
    EXPECT_LT(load->begin, use->begin);
    EXPECT_EQ(load->process + load->track, use->process + use->track);
    const std::string reg =
        load->name.substr(load->name.find(" r") + 1, load->name.find(',') - load->name.find(" r") - 1);
    EXPECT_NE(use->name.find(reg), std::string::npos) << load->name << " before " << use->name;
  }
}

TEST(PerfettoTrace, PowerStatesAreSlices) {
  ObservedRun run("reduction", with(kOn, {"gpu.sm.gating.int.policy=conventional", "watch.sample.ctas=6"}));
  std::map<std::string, std::vector<TraceSlice>> domains;
  std::set<std::string> states;
  for (const TraceSlice& slice : decode_trace(run.file("timeline.pftrace")).slices)
    if (slice.category == "power") {
      domains[slice.track].push_back(slice);
      states.insert(slice.name);
    }
  EXPECT_GE(domains.size(), 2u);
  EXPECT_GE(states.size(), 3u);
  std::uint64_t gated = 0;
  for (const auto& [domain, slices] : domains)
    for (std::size_t s = 0; s < slices.size(); ++s) {
      if (s + 1 < slices.size()) {
        EXPECT_EQ(slices[s].end, slices[s + 1].begin) << domain;
      }
      if (slices[s].name != "compensated") continue;
      for (const run::LaunchRecord& launch : run.session().result().launches) {
        const std::uint64_t begin = std::max(slices[s].begin, launch.begin);
        gated += std::max(begin, std::min(slices[s].end, launch.begin + launch.cycles)) - begin;
      }
    }
  EXPECT_EQ(gated, run.counter("sm.partition.gating.int.compensated_cycles"));
}

TEST(PerfettoTrace, IsBoundedAndSaysSo) {
  ObservedRun run("reduction", with(kOn, {"output.timeline_limits.max_slices=100", "watch.sample.ctas=4"}));
  const DecodedTrace trace = decode_trace(run.file("timeline.pftrace"));
  EXPECT_LE(count(trace, "wait") + count(trace, "issue"), 100u);
  EXPECT_GE(count(trace, "wait") + count(trace, "issue"), 95u);
  ASSERT_EQ(trace.instants.size(), 1u);
  EXPECT_EQ(trace.instants[0].name, "slices are missing from here on");
  const std::uint64_t missing = trace.instants[0].begin;
  for (const TraceSlice& slice : trace.slices) {
    if (slice.category == "issue") EXPECT_LE(slice.begin, missing);
  }
}

}  // namespace
}  // namespace heddle::output::perfetto_test
