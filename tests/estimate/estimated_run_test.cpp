#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "testbench/output/counter_view.h"
#include "testbench/output/estimate_output.h"
#include "testbench/run/data_files.h"
#include "testbench/run/run_session.h"
#include "testbench/run/scenario.h"

namespace heddle::estimate {
namespace {

class Runs {
 public:
  Runs(const std::string& launch, std::vector<std::string> sets, run::RunHooks hooks = {}) {
    run::ScenarioRequest request;
    request.launch = run::find_launch(launch);
    request.gpu = "fermi-gtx480";
    request.sets = std::move(sets);
    if (std::none_of(request.sets.begin(), request.sets.end(),
                     [](const std::string& set) { return set.starts_with("gpu.sms="); }))
      request.sets.emplace_back("gpu.sms=1");
    session = std::make_unique<run::RunSession>(read_scenario(request), std::move(hooks));
    session->run();
  }
  std::uint64_t sum(const std::vector<std::uint64_t>& counters, const std::string& name) const {
    return output::CounterView(session->stats(), counters).sum(name);
  }
  std::unique_ptr<run::RunSession> session;
};

// one SM with one slice of the L2 and one DRAM channel
const std::vector<std::string> kShareOfTheMemory = {
    "watch.check=off",
    "gpu.sm.scheduler={\"type\": \"two-level\", \"active_warps\": 8}",
    "gpu.memory.l2.slices=1",
    "gpu.memory.l2.bytes=65536",
    "gpu.memory.l2.bytes_per_cycle=25.6",
    "gpu.memory.dram.channels=1",
    "gpu.memory.dram.bytes_per_cycle=16.896"};

const std::vector<std::string> kEstimate = {"estimate.enabled=true", "estimate.settle_instructions=2000"};

void expect_same_counts(const char* kernel) {
  Runs whole(kernel, {});
  const auto& session = *whole.session;
  std::map<std::string, std::uint64_t> exact;
  MemoryImage memory;
  launch::PtxPrograms programs(session.launch_file().ptx, [&](isa::Program parsed) {
    return compiler::compile(parsed, session.parameters().compiler);
  });
  launch::LaunchRun run(session.launch_file(), programs, memory);
  run.prepare();
  struct Counting : launch::LaunchExecutor {
    explicit Counting(std::map<std::string, std::uint64_t>& sums) : all(sums) {}
    void launch(const isa::KernelLaunch& launch, MemoryImage& image) override {
      for (const auto& [name, count] : execute_untimed(launch, image, {}).counters) all[name] += count;
    }
    std::map<std::string, std::uint64_t>& all;
  } counting(exact);
  run.run(counting);
  for (const auto& [name, count] : exact)
    EXPECT_EQ(count, whole.sum(session.result().totals.counters, "sm.issue." + name))
        << kernel << ": " << name;
}
TEST(EstimatedRun, UntimedCountsAreTheTimedOnesOfHotspot) { expect_same_counts("hotspot/small"); }
TEST(EstimatedRun, UntimedCountsAreTheTimedOnesOfFft) { expect_same_counts("fft/small"); }
TEST(EstimatedRun, UntimedCountsAreTheTimedOnesOfReduction) { expect_same_counts("reduction/small"); }

TEST(EstimatedRun, EstimatesStandApartAndInstructionsAreCounted) {
  Runs runs("dct8x8", {"estimate.enabled=true"});
  const run::RunResult& result = runs.session->result();
  ASSERT_TRUE(result.estimate.has_value());
  const LaunchEstimate& e = *result.estimate;
  EXPECT_FALSE(e.whole);
  EXPECT_TRUE(e.exact_counts);
  EXPECT_LT(10 * e.instructions_timed, e.instructions);
  EXPECT_LT(result.totals.ctas_timed * 10, result.totals.ctas);
  EXPECT_EQ(runs.sum(e.counters, "sm.issue.issued"), e.instructions);
  EXPECT_EQ(runs.sum(result.totals.counters, "sm.issue.issued"), e.instructions_timed);
  EXPECT_NEAR(e.cycles.value / 1561841, 1, 0.03) << "timed whole, it takes so many";
  EXPECT_LT(e.cycles.low, e.cycles.value);
  EXPECT_TRUE(result.equal);
  EXPECT_TRUE(result.timed_differences.empty());
  EXPECT_GT(result.compared_words, 0u);
  EXPECT_LT(result.compared_words * 10, result.output_words);
  const std::string text = output::estimate_summary(result);
  EXPECT_NE(text.find("values with ~ are estimated"), std::string::npos) << text;
  EXPECT_NE(text.find("show nothing"), std::string::npos) << text;
}

// A short grid is timed from its first CTA on. The estimated interval must contain the cycles of the same
// launch when it is timed completely.
TEST(EstimatedRun, AShortGridIsTimedInOrder) {
  Runs runs("saxpy", {"estimate.enabled=true", "watch.check=off"});
  const LaunchEstimate& e = *runs.session->result().estimate;
  EXPECT_EQ(e.waves, 20u);
  EXPECT_FALSE(e.whole);
  EXPECT_LE(2 * e.instructions_timed, e.instructions + e.instructions / 20);
  constexpr double kWhole = 2627011;
  EXPECT_LT(e.cycles.low, kWhole);
  EXPECT_GT(e.cycles.high, kWhole);
  EXPECT_LT(e.cycles.high, 1.15 * e.cycles.value);
}

// Times a whole grid in windows. The windows must not change the cycles: in the cycle in which the last CTA
// of a window is dispatched, other SMs must already receive the first CTAs of the next window.
TEST(EstimatedRun, AGridThatIsTimedWholeInWindowsIsExact) {
  Runs runs("reduction",
            {"watch.check=off", "gpu.sms=3", "estimate.enabled=true", "estimate.error_percent=0.01"});
  const LaunchEstimate& e = *runs.session->result().estimate;
  EXPECT_TRUE(e.whole);
  EXPECT_EQ(runs.session->result().launches.front().estimate->waves, 8u);
  EXPECT_EQ(e.cycles.value, 603893) << "without estimate.enabled it takes so many";
  EXPECT_EQ(e.cycles.low, e.cycles.high);
}

// Bits in a technique's storage are flipped in timed CTAs. The flipped register holds data, because a wrong
// address would end the run with an error.
TEST(EstimatedRun, AFaultOfATechniqueIsCaughtInATimedCta) {
  std::vector<std::string> sets = kEstimate;
  sets.insert(sets.end(),
              {"gpu.sm.register_file.stages=[\"register-cache\", \"banks\"]", "watch.interval_cycles=50"});
  run::RunHooks hooks;
  Gpu* gpu = nullptr;
  const RegId value(2);
  hooks.on_built = [&gpu](Gpu& built) { gpu = &built; };
  hooks.on_interval = [&gpu, value](Cycle) { gpu->sm(0).flip_register_bit(WarpId(0), value, 5, 2); };
  Runs runs("saxpy", sets, hooks);
  const run::RunResult& result = runs.session->result();
  ASSERT_TRUE(result.estimate.has_value());
  EXPECT_LT(result.totals.ctas_timed, result.totals.ctas);
  EXPECT_FALSE(result.equal);
  ASSERT_FALSE(result.timed_differences.empty());
  EXPECT_NE(result.timed_differences[0].find("after the timed CTAs"), std::string::npos)
      << result.timed_differences[0];
}

constexpr const char* kTwoLengths = R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry two_lengths(.param .u64 a, .param .u32 long_ones)
{
  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [long_ones];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mov.u32 %r5, 0;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra END;
  mad.lo.u32 %r4, %r2, 32, %r3;
  mul.wide.u32 %rd2, %r4, 128;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r6, 0;
LOOP:
  ld.global.u32 %r7, [%rd3];
  add.u32 %r5, %r5, %r7;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p2, %r6, 4;
  @%p2 bra LOOP;
  st.global.u32 [%rd3], %r5;
END:
  ret;
}
)";
constexpr const char* kTwoLengthsLaunch = R"({"ptx": "two.ptx",
 "buffers": {"a": {"type": "u32", "count": 1126400, "init": {"kind": "zeros"}}},
 "steps": [{"kernel": "two_lengths", "grid": [2700], "block": [32], "args": [{"buffer": "a"}, {"u32": 1100}]}],
 "outputs": [{"buffer": "a"}]})";

// The first two windows have only short CTAs, and their rates agree. The estimate must not stop there, but
// also time longer CTAs.
TEST(EstimatedRun, PlacesHaveCtasOfEveryLength) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("heddle_two_lengths_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "two.ptx") << kTwoLengths;
  std::ofstream(folder / "two.json") << kTwoLengthsLaunch;
  Runs runs((folder / "two.json").string(), {"estimate.enabled=true", "watch.check=off"});
  std::filesystem::remove_all(folder);
  const LaunchEstimate& e = runs.session->result().estimate.value();
  ASSERT_FALSE(e.whole);
  EXPECT_NEAR(e.cycles.value / 818615, 1, 0.1) << "timed whole, it takes so many";
}

// The threads of a warp execute a loop different numbers of times. The share of active lanes is therefore not
// the same in the timed CTAs as in the whole grid. The estimate must correct this difference.
TEST(EstimatedRun, LanesOfUnitsFollowTheLanesOfTheWhole) {
  Runs runs("mandelbrot", {"estimate.enabled=true", "watch.check=off"});
  const run::RunResult& result = runs.session->result();
  ASSERT_TRUE(result.estimate.has_value());
  ASSERT_FALSE(result.estimate->whole);
  const output::CounterView view(runs.session->stats(), result.estimate->counters);
  const double fp = static_cast<double>(view.sum("sm.partition.units.fp.lane_operations"));
  EXPECT_NEAR(fp / 30546797, 1, 0.05) << "timed whole, there are so many";
}

TEST(EstimatedRun, AKernelOfHundredsOfVirtualRegistersIsChecked) {
  Runs runs("dxt1/small", kEstimate);
  EXPECT_TRUE(runs.session->result().checked);
  EXPECT_TRUE(runs.session->result().equal);
}

TEST(EstimatedRun, OneLaunchStandsForOthersThatAreAlike) {
  Runs runs("kmeans/small", kEstimate);
  const run::RunResult& result = runs.session->result();
  ASSERT_TRUE(result.estimate.has_value());
  std::size_t like = 0;
  for (const run::LaunchRecord& record : result.launches) {
    ASSERT_TRUE(record.estimate.has_value());
    EXPECT_EQ(record.timed, !record.estimate->like.has_value());
    like += record.estimate->like.has_value();
  }
  EXPECT_GT(like, 0u);
  EXPECT_TRUE(result.equal) << "untimed launches leave what later ones need";
}

// Before a window is timed, the L2 must be filled with the texels of earlier CTAs, and not with those of
// later CTAs. Every line of image and result (600 x 400 bytes each) must then be fetched once, as in a
// complete run.
TEST(EstimatedRun, TexelsAreWhereTheWholeRunHasThem) {
  Runs run("sobel/launch", {"watch.check=off", "estimate.enabled=true"});
  const auto& first = run.session->result().launches.front();
  ASSERT_TRUE(first.estimate && !first.estimate->whole);
  constexpr double kLines = 2 * 600 * 400 / 128;
  EXPECT_NEAR(static_cast<double>(run.sum(first.estimate->counters, "memory.l2_misses")), kLines,
              0.1 * kLines);
}

// The image (600 KB) is larger than the L2 (64 KB). When the timing of a window of CTAs begins, the L2 must
// contain lines of the CTAs just before the window. With lines of other CTAs, the window would take 1.5 times
// as long.
TEST(EstimatedRun, PlacesFindASmallL2AsTheWholeRunHasIt) {
  std::vector<std::string> sets = kShareOfTheMemory;
  sets.emplace_back("estimate.enabled=true");
  Runs run("convolution/launch", std::move(sets));
  const LaunchEstimate& e = *run.session->result().estimate;
  EXPECT_FALSE(e.whole);
  constexpr double kWhole = 1267605;
  EXPECT_NEAR(e.cycles.value / kWhole, 1, 0.03) << "timed whole, it takes so many";
  EXPECT_LT(e.cycles.low, kWhole);
  EXPECT_GT(e.cycles.high, kWhole);
  EXPECT_GT(run.sum(e.counters, "memory.l2_write_backs"), 2000u) << "lines that untimed CTAs wrote are dirty";
}

// In each of the 25 waves of this grid, all CTAs begin together and end together, up to the last wave. If the
// estimate let the first CTAs begin one after the other, the estimated cycles would be a seventh too low.
TEST(EstimatedRun, AtPairedPlacesAShortGridRunsAsTheLaunchBegins) {
  std::vector<std::string> sets = kShareOfTheMemory;
  sets.insert(sets.end(), {"estimate.enabled=true", "estimate.paired_share=0.15"});
  Runs run("dgemm/launch", std::move(sets));
  const LaunchEstimate& e = *run.session->result().estimate;
  EXPECT_FALSE(e.whole);
  EXPECT_LT(3 * e.instructions_timed, e.instructions);
  EXPECT_NEAR(e.cycles.value / 1677279, 1, 0.03) << "timed whole, it takes so many";
}

// Three launches of few waves are timed completely. Each launch begins with the L2 contents that the previous
// launch has left. So no value is estimated, and all values must be exact.
TEST(EstimatedRun, LaunchesThatAreAllTimedWholeAreExact) {
  Runs run("box_particles/small", {"watch.check=off", "estimate.enabled=true"});
  const LaunchEstimate& e = *run.session->result().estimate;
  EXPECT_TRUE(e.whole);
  EXPECT_EQ(e.cycles.value, 77765) << "without estimate.enabled it takes so many";
  EXPECT_EQ(e.cycles.low, e.cycles.high);
}

// A launch is timed completely after an estimated launch. It begins with an L2 whose contents are estimated,
// so its result must have an interval.
TEST(EstimatedRun, ALaunchTimedWholeBehindOneThatWasNotIsNotExact) {
  Runs run("neural_network/launch", {"watch.check=off", "estimate.enabled=true"});
  const auto& launches = run.session->result().launches;
  ASSERT_FALSE(launches[1].estimate->whole);
  ASSERT_TRUE(launches[2].estimate->whole);
  EXPECT_LT(launches[2].estimate->cycles.low, launches[2].estimate->cycles.value);
}

TEST(EstimatedRun, ASampleOfOnesOwnIsRefused) {
  std::vector<std::string> sets = kEstimate;
  sets.emplace_back("watch.sample.ctas=4");
  EXPECT_THROW(Runs("saxpy/small", sets), Error);
}

}  // namespace
}  // namespace heddle::estimate
