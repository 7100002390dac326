// Waveforms of real runs must agree with the counters and contain only the selected window and signals. The
// waveforms must not depend on whether the simulation skips idle cycles of the SM.

#include <gtest/gtest.h>

#include <set>

#include "models/core/error.h"
#include "tests/output/observed_run.h"
#include "tests/output/vcd_file.h"

namespace heddle::output {
namespace {

constexpr const char* kOn = "output.vcd.enabled=true";

TEST(Waves, HoldWhatTheCountersSay) {
  ObservedRun run("reduction", {kOn});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  EXPECT_TRUE(file.in_order);
  EXPECT_EQ(file.timescale, "1ns");
  // From the times of the changes, count the cycles in which a scheduler picks a warp, and the cycles in
  // which a bank serves an access.
  std::uint64_t picked = 0, served = 0;
  for (const auto& [name, signal] : file.signals)
    for (std::size_t i = 0; i < signal.changes.size(); ++i) {
      const auto& [time, value] = signal.changes[i];
      const std::uint64_t end = i + 1 < signal.changes.size() ? signal.changes[i + 1].first : file.last;
      const std::uint64_t cycles = end - time;
      if (name.ends_with(".pick") && value != "z" && value != "x") picked += cycles;
      if (name.ends_with(".served") && value != "0" && value != "x") served += cycles;
    }
  EXPECT_EQ(picked, run.counter("sm.issue.issued"));
  EXPECT_EQ(served, run.counter("sm.partition.banks.busy_cycles"));
}

TEST(Waves, KeepToWindowAndSelection) {
  ObservedRun run("reduction", {kOn, "output.vcd.select=sm0.warp0?.state, **.stall",
                                "output.vcd.from_cycle=1000", "output.vcd.to_cycle=1499"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  std::set<std::string> names;
  for (const auto& [name, signal] : file.signals) names.insert(name);
  std::set<std::string> expected = {"sm0.scheduler0.stall", "sm0.scheduler1.stall"};
  for (int w = 0; w < 10; ++w) expected.insert("sm0.warp0" + std::to_string(w) + ".state");
  EXPECT_EQ(names, expected);
  EXPECT_GE(file.first, 1000u);
  EXPECT_LE(file.first, 1010u);
  EXPECT_LE(file.last, 1500u);
  EXPECT_GE(file.last, 1490u);
  EXPECT_TRUE(file.signals.at("sm0.scheduler0.stall").toggles());
}

TEST(Waves, SeveralSmsShareOneOrderOfTime) {
  ObservedRun run("bfs", {kOn, "gpu.sms=3", "output.vcd.select=**.served,**.used,**.pick"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  EXPECT_TRUE(file.in_order);
  for (const char* sm : {"sm0", "sm1", "sm2"})
    EXPECT_TRUE(file.signals.at(std::string(sm) + ".partition0.banks.served").toggles()) << sm;
}

TEST(Waves, CtaSlotsAreFreeWhenTheirWarpsHaveEnded) {
  ObservedRun run("bfs", {kOn, "gpu.sms=3", "output.vcd.select=**.index,**.warp??.state"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  int used = 0;
  for (const auto& [name, signal] : file.signals) {
    if (!name.ends_with(".index") || !signal.toggles()) continue;
    ++used;
    EXPECT_EQ(signal.changes.back().second, "z") << name;
  }
  EXPECT_GE(used, 3);
}

TEST(Waves, RefuseASelectionThatMatchesNothing) {
  try {
    ObservedRun run("reduction", {kOn, "output.vcd.select=sm0.warp00.state,sm7.**"});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("\"sm7.**\" matches no signal"), std::string::npos) << e.what();
  }
}

TEST(Waves, RefuseAWindowThatEndsBeforeItBegins) {
  try {
    ObservedRun run("reduction", {kOn, "output.vcd.from_cycle=10", "output.vcd.to_cycle=9"});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "output.vcd.to_cycle");
  }
}

TEST(Waves, AWindowThatIsNeverReachedGivesAnEmptyFile) {
  ObservedRun run("reduction", {kOn, "output.vcd.from_cycle=1000000000"});
  const VcdFile file = read_vcd(run.text("waves.vcd"));
  EXPECT_FALSE(file.signals.empty());
  for (const auto& [name, signal] : file.signals) EXPECT_FALSE(signal.toggles()) << name;
}

TEST(Waves, NothingIsWrittenUnlessAskedFor) {
  ObservedRun run("reduction", {"watch.interval_cycles=0"});
  EXPECT_TRUE(run.has("result.json"));
  for (const char* name : {"waves.vcd", "waves.gtkw", "profile.txt", "profile.csv", "timeline.json",
                           "timeline.pftrace", "intervals.csv", "report.html"})
    EXPECT_FALSE(run.has(name)) << name;
}

}  // namespace
}  // namespace heddle::output
