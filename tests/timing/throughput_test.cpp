// Tests what limits the rate of instructions: issue width, distance of dependent instructions, initiation
// intervals, result bus, collectors and fetch. The length of every run must equal that of a formula.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing {
namespace {

const std::string kPlain = "sm.scheduler=lrr";
const std::string kTwoPorts = "sm.register_file.banks.ports=1r1w";

// A warps execute chains of 20 dependent instructions with a latency of d cycles, on a scheduler of width 1:
// IPC = min(1, A/d). If A < d, the time is that of one warp's chain, plus A - 1 cycles until the last warp
// starts. Otherwise every issue slot is used.
TEST(WarpsAndDistance, OneSchedulerOfWidthOne) {
  const std::string body = repeated(20, "add.u32 %r0, %r0, 1;");
  const auto span = [&](int warps, int latency) {
    const Machine machine = on("fermi-gebhart", 32 * warps)
                                .with(kPlain)
                                .with("sm.units.int_add.latency_cycles=" + std::to_string(latency));
    const Measured m = measure(machine, body);
    EXPECT_EQ(m.count("sm0.issue.issued"), static_cast<std::uint64_t>(21 * warps));
    return m.last_at(19) - m.first_at(0);
  };
  // The 20 issues of a warp's chain span 19 latencies, and the last warp starts (warps - 1) cycles after the
  // first. If there are at least as many warps as the latency has cycles, 20 * warps issue slots follow each
  // other.
  EXPECT_EQ(span(1, 8), 19u * 8);
  EXPECT_EQ(span(4, 8), 19u * 8 + 3);
  EXPECT_EQ(span(8, 8), 20u * 8 - 1);
  EXPECT_EQ(span(6, 20), 19u * 20 + 5);
  EXPECT_EQ(span(16, 20), 19u * 20 + 15);
  EXPECT_EQ(span(16, 8), 20u * 16 - 1);
  EXPECT_EQ(span(32, 20), 20u * 32 - 1);
}

TEST(WarpsAndDistance, TwoSchedulers) {
  const std::string body = repeated(20, "add.u32 %r0, %r0, 1;");
  const auto span = [&](int warps, int latency) {
    const Machine machine = on("fermi-gtx480", 32 * warps)
                                .with(kPlain)
                                .with(kTwoPorts)
                                .with("sm.units.int_add.latency_cycles=" + std::to_string(latency));
    const Measured m = measure(machine, body);
    return m.last_at(19) - m.first_at(0);
  };
  EXPECT_EQ(span(2, 9), 19u * 9);
  EXPECT_EQ(span(6, 9), 19u * 9 + 2);
  EXPECT_EQ(span(10, 20), 19u * 20 + 4);
  EXPECT_EQ(span(32, 20), 19u * 20 + 15);
}

TEST(IssueWidth, IndependentInstructionsOfOneWarp) {
  const std::string body = repeated(24, "mov.u32 %r@, 1;");
  for (const int latency : {9, 30}) {
    const std::string set = "sm.units.int_add.latency_cycles=" + std::to_string(latency);
    const auto span = [&](const char* preset) {
      const Measured m = measure(on(preset).with(kPlain).with(set), body);
      return m.last_at(23) - m.first_at(0);
    };
    EXPECT_EQ(span("fermi-gebhart"), 23u);
    EXPECT_EQ(span("fermi-gtx480"), 23u);
    EXPECT_EQ(span("kepler-gtx780"), 11u);
  }
}

// On maxwell-gtx980, a partition has one cluster, whose INT and FP pipelines share a dispatch port. If two
// arithmetic instructions issue per cycle, the 8 collectors fill up; from then on, only one instruction per
// cycle issues.
TEST(IssueWidth, PairsNeedUnitsOfTheirOwn) {
  const std::string body = repeated(24, "mov.u32 %r@, 1;");
  const Measured shared = measure(on("maxwell-gtx980").with(kPlain), body);
  EXPECT_EQ(shared.cycles, 5u + 23 + 6);
  const Measured two = measure(on("maxwell-gtx980").with(kPlain).with("sm.units.clusters=2"), body);
  EXPECT_EQ(two.cycles, 5u + 11 + 6);
}

TEST(IssueWidth, DependentNeighboursDoNotPair) {
  const std::string body = repeated(6, "mov.u32 %r@, 1;") + "add.u32 %r20, %r5, 1;\nmov.u32 %r21, 1;\n";
  const auto at = measure(on("kepler-gtx780").with(kPlain), body).of_warp(0);
  EXPECT_EQ(at[5], at[4]);
  EXPECT_EQ(at[6] - at[5], 9u);
  EXPECT_EQ(at[7], at[6]);
}

// n operations with initiation interval i execute in one unit. The last operation starts (n - 1) * i cycles
// after the first operation.
TEST(InitiationInterval, SpecialFunctions) {
  const std::string body = repeated(8, "ex2.approx.f32 %f@, %f20;");
  const auto cycles = [&](const char* preset, int interval, int latency) {
    return measure(on(preset)
                       .with(kPlain)
                       .with("sm.units.sfu.interval_cycles=" + std::to_string(interval))
                       .with("sm.units.sfu.latency_cycles=" + std::to_string(latency)),
                   body)
        .cycles;
  };
  EXPECT_EQ(cycles("fermi-gtx480", 4, 13), 5u + 7 * 4 + 13);
  EXPECT_EQ(cycles("fermi-gtx480", 8, 40), 5u + 7 * 8 + 40);
  EXPECT_EQ(cycles("fermi-gebhart", 4, 20), 5u + 7 * 4 + 20);
  EXPECT_EQ(cycles("fermi-gebhart", 1, 40), 5u + 7 * 1 + 40);
}

TEST(InitiationInterval, TwoClustersShareTheWork) {
  const std::string body = repeated(8, "mul.lo.u32 %r@, %r20, 3;");
  const auto cycles = [&](int clusters) {
    return measure(on("fermi-gtx480")
                       .with(kPlain)
                       .with("sm.units.int_mul.interval_cycles=6")
                       .with("sm.units.clusters=" + std::to_string(clusters)),
                   body)
        .cycles;
  };
  EXPECT_EQ(cycles(1), 5u + 7 * 6 + 9);
  EXPECT_EQ(cycles(2), 5u + 1 + 3 * 6 + 9);
}

TEST(ResultBus, WidthInWords) {
  const std::string body = repeated(12, "mov.u64 %rd@, 1;");
  const auto cycles = [&](const char* preset, int width, int latency) {
    return measure(on(preset)
                       .with(kPlain)
                       .with("sm.register_file.result_bus_width=" + std::to_string(width))
                       .with("sm.units.int_add.latency_cycles=" + std::to_string(latency)),
                   body)
        .cycles;
  };
  EXPECT_EQ(cycles("fermi-gebhart", 2, 8), 5u + 11 + 8);
  EXPECT_EQ(cycles("fermi-gebhart", 1, 8), 5u + 11 * 2 + 8);
  EXPECT_EQ(cycles("fermi-gtx480", 2, 30), 5u + 11 + 30);
  EXPECT_EQ(cycles("fermi-gtx480", 1, 30), 5u + 11 * 2 + 30);
}

// A collector is occupied for 3 cycles plus the banks' latency, from the issue of its instruction on. If no
// collector is free, no instruction issues.
TEST(Collectors, ExhaustedOnesHoldIssueBack) {
  const std::string body = repeated(12, "mov.u32 %r@, 1;");
  const auto span = [&](const char* preset, int collectors, int bank_latency) {
    const Measured m =
        measure(on(preset)
                    .with(kPlain)
                    .with("sm.register_file.collectors=" + std::to_string(collectors))
                    .with("sm.register_file.banks.latency_cycles=" + std::to_string(bank_latency)),
                body);
    return m.last_at(11) - m.first_at(0);
  };
  EXPECT_EQ(span("fermi-gebhart", 1, 1), 11u * 4);
  EXPECT_EQ(span("fermi-gebhart", 2, 1), 5u * 4 + 1);
  EXPECT_EQ(span("fermi-gebhart", 3, 1), 3u * 4 + 2);
  EXPECT_EQ(span("fermi-gebhart", 4, 1), 11u);
  EXPECT_EQ(span("fermi-gtx480", 1, 3), 11u * 6);
  EXPECT_EQ(span("fermi-gtx480", 4, 3), 2u * 6 + 3);
}

// All schedulers use the same collectors, and take turns in choosing first. Therefore the last issues of the
// schedulers must lie at most 20 cycles apart.
TEST(Collectors, SchedulersShareThemFairly) {
  for (const char* preset : {"fermi-gtx480", "kepler-gtx780"}) {
    const Measured m = measure(on(preset, 512).with(kPlain).with("sm.register_file.collectors=4"),
                               repeated(20, "mov.u32 %r@, 1;"));
    const std::uint32_t schedulers = std::string(preset) == "kepler-gtx780" ? 4 : 2;
    std::vector<Cycle> end(schedulers);
    for (const Issue& issue : m.issues) end[issue.warp % schedulers] = issue.cycle;
    const auto [first, last] = std::minmax_element(end.begin(), end.end());
    EXPECT_LE(*last - *first, 20u) << preset;
    EXPECT_EQ(m.issues.size(), 16u * 21);
  }
}

TEST(Collectors, StallsAreCountedAsStructural) {
  const Measured m = measure(on("fermi-gebhart").with(kPlain).with("sm.register_file.collectors=1"),
                             repeated(5, "mov.u32 %r@, 1;"));
  EXPECT_EQ(m.count("sm0.issue.scheduler0.idle_structural"), 4u * 3);
}

TEST(Fetch, InstructionsACycle) {
  const std::string body = repeated(16, "mov.u32 %r@, 1;");
  const auto span = [&](int warps_per_cycle, int instructions) {
    const Measured m =
        measure(on("fermi-gtx480", 128)
                    .with(kPlain)
                    .with("sm.front_end.warps_per_cycle=" + std::to_string(warps_per_cycle))
                    .with("sm.front_end.instructions_per_fetch=" + std::to_string(instructions))
                    .with("sm.front_end.ibuffer_entries=16"),
                body);
    return m.last_at(15) - m.first_at(0);
  };
  EXPECT_EQ(span(1, 1), 63u);
  EXPECT_EQ(span(1, 2),
            // 64 instructions at two per cycle; the second scheduler's warps start one cycle later
            32u);
  EXPECT_EQ(span(2, 2), 31u);
}

// An entry of the instruction buffer becomes free when its instruction issues. The next instruction arrives
// one cycle later, and can issue latency_cycles after its arrival.
TEST(Fetch, BufferHoldsARoundTrip) {
  const std::string body = repeated(12, "mov.u32 %r@, 1;");
  const auto span = [&](int entries, int latency) {
    const Measured m = measure(on("fermi-gtx480")
                                   .with(kPlain)
                                   .with("sm.front_end.ibuffer_entries=" + std::to_string(entries))
                                   .with("sm.front_end.latency_cycles=" + std::to_string(latency)),
                               body);
    return m.last_at(11) - m.first_at(0);
  };
  EXPECT_EQ(span(1, 2), 11u * 3);
  EXPECT_EQ(span(2, 2), 5u * 3 + 1);
  EXPECT_EQ(span(3, 2), 11u);
  EXPECT_EQ(span(1, 5), 11u * 6);
  EXPECT_EQ(span(2, 5), 5u * 6 + 1);
}

// On fermi-gpgpusim, a fetch brings two instructions, and arrives only when the buffer is empty. Therefore,
// two instructions issue every three cycles. A taken branch costs three cycles, as with a buffer of four
// entries.
TEST(FrontEnd, FetchesWhenTheBufferIsEmpty) {
  const std::vector<Cycle> at = measure(on("fermi-gpgpusim"), repeated(6, "add.u32 %r@, %r63, 1;") +
                                                                  "bra NEXT;\nNEXT: add.u32 %r9, %r63, 1;")
                                    .of_warp(0);
  std::vector<Cycle> gaps;
  for (std::size_t i = 1; i < 8; ++i) gaps.push_back(at[i] - at[i - 1]);
  EXPECT_EQ(gaps, (std::vector<Cycle>{1, 2, 1, 2, 1, 2, 3}));
}

}  // namespace
}  // namespace heddle::timing
