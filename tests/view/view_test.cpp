// The recording of `heddle view` must agree with the counters, and must not depend on the number of threads.
// The recording must stop when it has reached its size limit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/core/error.h"
#include "testbench/view/recording_json.h"
#include "testbench/view/view_page.h"
#include "tests/view/recorded_run.h"

namespace heddle::view {
namespace {

using testing::HasSubstr;
using testing::Not;

ViewParameters window_of(Cycle from, Cycle to) {
  ViewParameters window;
  window.from_cycle = from;
  window.to_cycle = to;
  return window;
}
constexpr Cycle kWholeRun = 1000000;

// Every recorded counter must grow by the run's value of this counter. Counters of cycles and issue slots are
// not recorded.
TEST(ViewRecording, CountsEqualTheCounters) {
  for (const char* technique : {"register-cache", "warped-gates"}) {
    SCOPED_TRACE(technique);
    const RecordedRun run("hotspot", {technique}, window_of(0, kWholeRun));
    EXPECT_FALSE(run.recording.cut);
    std::size_t compared = 0;
    for (const RecordedPart& part : run.recording.parts)
      for (const RecordedCounter& counter : part.counters) {
        std::set<std::uint64_t> values;  // values of the SM's counters with this name
        for (const auto& [name, value] : run.counters)
          if (name.starts_with("sm0.") && name.ends_with("." + counter.name)) values.insert(value);
        EXPECT_TRUE(values.count(run.sum(part.path, counter.name))) << part.path << " " << counter.name;
        ++compared;
      }
    EXPECT_GT(compared, 100u);
    EXPECT_EQ(run.sum("issue", "issued"), run.counters.at("sm0.issue.issued"));
    EXPECT_EQ(run.recording.log.instructions.size(), run.counters.at("sm0.issue.issued"));
    EXPECT_EQ(run.sum("partition0.int0", "operations"),
              run.counters.at("sm0.partition0.units.int0.operations"));
  }
}

TEST(ViewRecording, RecordingChangesNoCounter) {
  const RecordedRun recorded("reduction", {"virtualization"}, window_of(0, 500));
  const RecordedRun other("reduction", {"virtualization"}, window_of(0, kWholeRun));
  EXPECT_EQ(recorded.counters, other.counters);
}

// Gauges show which instruction is where. This must agree with the cycles of the instructions' steps.
TEST(ViewRecording, GaugesShowInstructionsWhereTheirStepsAre) {
  const RecordedRun run("reduction", {}, window_of(0, 600));
  const RecordedPart* const collectors = run.part("partition0.collectors");
  ASSERT_TRUE(collectors);
  std::map<std::uint64_t, std::pair<Cycle, Cycle>> inside;  // first cycle, and cycle after the last, by uid
  std::map<std::uint32_t, std::uint64_t> now;
  for (const RecordedCycle& cycle : run.recording.cycles)
    for (const GaugeChange& change : cycle.gauges) {
      if (change.gauge != collectors->first_gauge) continue;
      if (const std::uint64_t left = now[change.cell]) inside[left - 1].second = cycle.cycle;
      now[change.cell] = change.value;
      if (change.value) inside[change.value - 1].first = cycle.cycle;
    }
  std::size_t compared = 0;
  for (const output::PipelineInstruction& one : run.recording.log.instructions) {
    if (one.dispatched == kNever) continue;
    ASSERT_TRUE(inside.count(one.uid)) << one.uid;
    EXPECT_LE(inside[one.uid].first, one.prepared) << one.uid;
    EXPECT_LE(one.prepared, inside[one.uid].first + 1) << one.uid;
    EXPECT_EQ(inside[one.uid].second, one.dispatched) << one.uid;
    ++compared;
  }
  EXPECT_GT(compared, 50u);
}

TEST(ViewRecording, WindowsBeginAtTheFirstIssue) {
  const RecordedRun run("reduction", {}, {});
  EXPECT_EQ(run.recording.from, run.recording.log.instructions.front().issued);
  EXPECT_EQ(run.recording.to, run.recording.from + kWindowCycles - 1);
  // A window that begins later must show instructions that are already in flight, and values from before the
  // window.
  const RecordedRun later("reduction", {}, window_of(200, 300));
  EXPECT_EQ(later.recording.from, 200u);
  EXPECT_EQ(later.recording.to, 300u);
  EXPECT_LT(later.recording.log.instructions.front().issued, 200u);
  EXPECT_EQ(later.recording.cycles.front().cycle, 200u);
  EXPECT_GT(later.recording.cycles.front().gauges.size(), 20u);
}

TEST(ViewRecording, WindowsBeginWithTheChosenLaunch) {
  ViewParameters window;
  window.launch = 1;
  const RecordedRun run("hotspot", {}, window);
  for (const output::PipelineInstruction& one : run.recording.log.instructions) EXPECT_EQ(one.launch, 1u);
  EXPECT_EQ(run.recording.from, run.recording.log.instructions.front().issued);
  std::uint64_t in_window = 0;
  for (const output::PipelineInstruction& one : run.recording.log.instructions)
    in_window += one.issued <= run.recording.to;
  EXPECT_EQ(run.sum("issue", "issued"), in_window);
}

TEST(ViewRecording, IsTheSameForAnyThreadsAndEnds) {
  const auto page = [](const std::vector<std::string>& settings, bool early) {
    return make_page(RecordedRun("hotspot", settings, {}, early).recording);
  };
  const std::string expected = page({"watch.quantum=1"}, false);
  EXPECT_TRUE(page({"watch.threads=2"}, true) == expected);
  EXPECT_TRUE(page({}, true) == expected);
}

TEST(ViewRecording, IsCutAtItsLargestSize) {
  ViewParameters window;
  const RecordedRun whole("reduction", {}, window);
  window.max_bytes = json_of(whole.recording).size() / 2;
  const RecordedRun run("reduction", {}, window);
  EXPECT_TRUE(run.recording.cut);
  EXPECT_LT(run.recording.to, whole.recording.to);
  EXPECT_GT(run.recording.to, run.recording.from + 20);
  EXPECT_LE(json_of(run.recording).size(), window.max_bytes + 100);
  for (const output::PipelineInstruction& one : run.recording.log.instructions)
    EXPECT_LE(one.issued, run.recording.to);
}

TEST(ViewRecording, AccessesAreThoseOfTheStages) {
  const RecordedRun run("reduction", {"register-cache"}, window_of(0, kWholeRun));
  std::uint64_t reads = 0, writes = 0;
  for (const RecordedCycle& cycle : run.recording.cycles)
    for (const PassedAccess& pass : cycle.passes) {
      EXPECT_EQ(run.recording.parts[pass.part].path, "partition0.stage0_register_cache");
      reads += pass.command == RegisterCommand::read;
      writes += pass.command == RegisterCommand::write;
    }
  EXPECT_EQ(reads, run.counters.at("sm0.partition0.banks.reads"));
  EXPECT_EQ(writes, run.counters.at("sm0.partition0.banks.writes"));
  EXPECT_GT(reads + writes, 0u);
}

// The 32 lanes of an access to `c[i]` read or write 4 bytes each, which lie in one or two segments of 128
// bytes.
TEST(ViewRecording, MemoryInstructionsHaveAddresses) {
  const RecordedRun run("vector_add", {}, window_of(0, kWholeRun));
  std::size_t found = 0;
  for (const output::PipelineInstruction& one : run.recording.log.instructions) {
    if (one.unit != isa::UnitClass::ldst) continue;
    const std::vector<std::uint64_t>& lanes = one.addresses.lanes;
    ASSERT_EQ(lanes.size(), static_cast<std::size_t>(count_lanes(one.mask)));
    EXPECT_EQ(one.addresses.bytes, 4u);
    for (std::size_t i = 1; i < lanes.size(); ++i) EXPECT_EQ(lanes[i], lanes[i - 1] + 4);
    ++found;
  }
  EXPECT_GT(found, 10u);
}

template <class Make>
std::string error_of(Make&& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ViewRecording, BadWindowsAreErrors) {
  const auto run = [](int sm, Cycle from, Cycle to, std::vector<std::string> settings = {},
                      std::uint64_t launch = 0) {
    return error_of([&] {
      ViewParameters window = window_of(from, to);
      window.sm = sm;
      window.launch = launch;
      RecordedRun("vector_add", settings, window);
    });
  };
  EXPECT_THAT(run(2, 0, 0), HasSubstr("--sm: there is no SM 2 (allowed: 0 to 1)"));
  EXPECT_THAT(run(0, 20, 10), HasSubstr("--to: 10 lies before --from 20"));
  EXPECT_THAT(run(0, kWholeRun, 0), HasSubstr("--from: SM 0 does nothing from cycle 1000000 on"));
  EXPECT_THAT(run(0, 0, 0, {}, 3), HasSubstr("--launch: there is no launch 3 (allowed: 0 to 0)"));
  EXPECT_THAT(run(1, 0, 0, {"watch.sample.ctas=1"}), HasSubstr("--sm: SM 1 issues no instruction"));
}

TEST(ViewPage, EscapesForeignTexts) {
  RecordedRun run("vector_add", {}, window_of(0, 100));
  const std::string hostile = "</script><img src=x onerror=alert(1)>&\"\\\n\x01";
  run.recording.kernels = {hostile};
  run.recording.gpu = hostile;
  for (output::PipelineText& text : run.recording.log.texts) text = {hostile, hostile};
  run.recording.techniques = {hostile};
  const std::string page = make_page(run.recording);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  const std::size_t data = page.find("id=recording>");
  EXPECT_EQ(page.find("</script>", data), page.find("</script>\n<script>", data))
      << "the data end at their element";
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  for (const char* word : {"http://", "https://", "@import", "url("}) {
    const std::size_t at = page.find(word);
    EXPECT_TRUE(at == std::string::npos || page.substr(at, 18) == "http://www.w3.org/") << word;
  }
}

}  // namespace
}  // namespace heddle::view
