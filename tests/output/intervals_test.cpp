// Rows of intervals.csv must add up to the counters of the run, and follow each other without gaps.

#include <gtest/gtest.h>

#include "testbench/output/counter_view.h"
#include "testbench/output/intervals.h"
#include "tests/output/observed_run.h"

namespace heddle::output {
namespace {

TEST(CounterView, SumsLikeUnitsAndSaysWhichTheyAre) {
  StatsRegistry registry;
  for (const char* owner : {"sm0.partition0.banks", "sm0.issue", "sm1.partition0.banks"})
    registry.add(owner, "reads", "accesses", "made up");
  const std::vector<std::uint64_t> values = {3, 5, 7};
  const CounterView view(registry, values);
  EXPECT_EQ(view.sum("sm.partition.banks.reads"), 10u);
  EXPECT_EQ(view.units("sm.partition.banks.reads"), 2u);
  EXPECT_EQ(view.counters("sm.partition.banks.reads"), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(sum_of(values, view.counters("sm.partition.banks.reads")), 10u);
  EXPECT_TRUE(view.counters("sm.partition.banks.writes").empty());
}

TEST(Intervals, SumToTheTotals) {
  ObservedRun run("bfs", {"watch.interval_cycles=500", "gpu.sms=2"});
  const auto rows = read_csv(run.text("intervals.csv"));
  const std::map<std::string, std::string> columns = {
      {"instructions", "sm.issue.issued"},
      {"lanes", "sm.issue.thread_instructions"},
      {"resident_warp_cycles", "sm.issue.resident_warp_cycles"},
      {"active_warp_cycles", "sm.issue.active_warp_cycles"},
      {"issue_slots", "sm.issue.issue_slots"},
      {"register_reads", "sm.issue.source_words"},
      {"register_writes", "sm.issue.result_words"},
      {"bank_reads", "sm.partition.banks.reads"},
      {"bank_writes", "sm.partition.banks.writes"},
      {"bank_conflict_cycles", "sm.partition.banks.conflict_cycles"},
      {"shared_passes", "sm.load_store.shared_passes"},
      {"segments", "sm.load_store.segments"},
      {"l1_accesses", "sm.load_store.l1_accesses"},
      {"l1_hits", "sm.load_store.l1_hits"},
      {"memory_bytes_read", "sm.load_store.memory_bytes_read"},
      {"memory_bytes_written", "sm.load_store.memory_bytes_written"},
      {"idle_dependence", "sm.issue.scheduler.idle_dependence"},
      {"idle_memory", "sm.issue.scheduler.idle_memory"},
      {"idle_no-warp", "sm.issue.scheduler.idle_no-warp"},
  };
  for (const auto& [column, counter] : columns)
    EXPECT_EQ(sum_of(rows, column), run.counter(counter)) << column;
  EXPECT_GT(run.counter("sm.issue.issued"), 0u);

  std::uint64_t cycles = 0;
  for (const auto& record : run.session().result().launches) cycles += record.cycles;
  EXPECT_EQ(sum_of(rows, "cycles"), cycles);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_LE(std::stoull(rows[i].at("cycles")), 500u);
    if (i > 0 && rows[i].at("launch") == rows[i - 1].at("launch")) {
      EXPECT_EQ(rows[i].at("begin_cycle"), rows[i - 1].at("end_cycle"));
      EXPECT_EQ(rows[i - 1].at("cycles"), "500");
    }
  }
}

TEST(Intervals, HaveColumnsOfCountersThatAreAskedFor) {
  const std::vector<std::string> sets = {"watch.interval_cycles=300", "gpu.sms=2"};
  const auto with = [&sets](const char* counters) {
    std::vector<std::string> all = sets;
    all.push_back(std::string("output.interval_counters=") + counters);
    return all;
  };
  ObservedRun run("reduction", with(R"(["sm.front_end.fetches","sm.partition.banks.busy_cycles"])"));
  const auto rows = read_csv(run.text("intervals.csv"));
  for (const char* counter : {"sm.front_end.fetches", "sm.partition.banks.busy_cycles"}) {
    EXPECT_GT(sum_of(rows, counter), 0u);
    EXPECT_EQ(sum_of(rows, counter), run.counter(counter)) << counter;
  }
}

TEST(Intervals, NameACounterThatIsNotThere) {
  try {
    ObservedRun run("reduction", {"watch.interval_cycles=300", R"(output.interval_counters=["sm.nobody"])"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("this run has no counter sm.nobody"), std::string::npos)
        << error.what();
  }
}

// If a run has more intervals than a plot can show, neighbouring samples must be merged, and their sum must
// stay the same.
TEST(Intervals, SamplesOfALongRunStandTogether) {
  StatsRegistry registry;
  Counter& issued = registry.add("sm0.issue", "issued", "warp-instructions", "made up");
  IntervalRecorder recorder(registry, nullptr, nullptr, true);
  isa::KernelLaunch launch;
  launch.program = std::make_shared<isa::Program>();
  recorder.launch_begins(launch);
  constexpr Cycle kIntervals = 3 * kMostSamples + 5, kBegin = 7, kCycles = 10;
  for (Cycle i = 1; i <= kIntervals; ++i) {
    issued += i % 11;
    recorder.interval(kBegin, kBegin + i * kCycles);
  }
  const std::vector<IntervalSample>& samples = recorder.samples();
  EXPECT_LE(samples.size(), kMostSamples);
  EXPECT_GT(samples.size(), kMostSamples / 2);
  double sum = 0;
  Cycle end = kBegin;
  for (const IntervalSample& sample : samples) {
    ASSERT_EQ(sample.begin, end);
    end = sample.end;
    ASSERT_EQ(sample.cycles, sample.end - sample.begin);
    sum += sample.ipc * static_cast<double>(sample.cycles);
  }
  EXPECT_EQ(end, kBegin + kIntervals * kCycles);
  EXPECT_NEAR(sum, static_cast<double>(issued.value()), 1e-6 * sum);
}

TEST(Intervals, SlotsAreIssuedOrHaveOneReason) {
  ObservedRun run("reduction", {"watch.interval_cycles=300"});
  for (const auto& row : read_csv(run.text("intervals.csv"))) {
    std::uint64_t sum = std::stoull(row.at("instructions"));
    for (const auto& [name, value] : row)
      if (name.rfind("idle_", 0) == 0) sum += std::stoull(value);
    EXPECT_EQ(sum, std::stoull(row.at("issue_slots"))) << "interval up to " << row.at("end_cycle");
  }
}

}  // namespace
}  // namespace heddle::output
