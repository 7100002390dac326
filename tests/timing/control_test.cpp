#include <gtest/gtest.h>

#include <algorithm>

#include "tests/timing/timed_kernel.h"

namespace heddle::timing::control_test {
namespace {

const std::string kLrr = "sm.scheduler=lrr";

std::string front_end_latency(int cycles) { return "sm.front_end.latency_cycles=" + std::to_string(cycles); }

// A taken branch empties the instruction buffer, and the next fetch follows one cycle later.
TEST(Branch, TakenAndNotTaken) {
  const std::string body =
      "setp.eq.u32 %p0, %r9, %r9;\nmov.u32 %r1, 1;\n@%p0 bra NEXT;\nmov.u32 %r2, 1;\nNEXT:\n"
      "mov.u32 %r3, 1;\n@!%p0 bra LAST;\nmov.u32 %r4, 1;\nLAST:\nmov.u32 %r5, 1;";
  const auto distances = [&](const char* preset, int latency) {
    const Measured m = measure(on(preset).with(kLrr).with(front_end_latency(latency)), body);
    return std::pair(m.first_at(4) - m.first_at(2), m.first_at(6) - m.first_at(5));
  };
  using Pair = std::pair<Cycle, Cycle>;
  EXPECT_EQ(distances("fermi-gtx480", 2), Pair(3, 1));
  EXPECT_EQ(distances("fermi-gtx480", 6).first, 7u);
  EXPECT_EQ(distances("maxwell-gtx980", 2), Pair(3, 1));
  EXPECT_EQ(distances("maxwell-gtx980", 4).first, 5u);
}

// Returns the cycles of a branch and of both sides of the branch. The fall-through side has 6 instructions,
// the taken side 10. Lanes with numbers below `split` take the branch.
Cycle both_sides(const Machine& machine, int split) {
  const std::string body = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, " + std::to_string(split) +
                           ";\n@%p0 bra OTHER;\n" + repeated(6, "mov.u32 %r1@, 1;") + "bra END;\nOTHER:\n" +
                           repeated(10, "mov.u32 %r2@, 1;") + "END:\nmov.u32 %r40, 1;";
  const Measured m = measure(machine.with(kLrr).with("sm.front_end.ibuffer_entries=16"), body);
  return m.first_at(20) - m.first_at(2);
}

// A branch and a redirect of fetch each cost 1 + latency cycles. If the branch diverges, the two sides of the
// branch run one after the other. The change from one side to the other costs one more redirect.
TEST(Divergence, BothSidesAddUp) {
  for (const char* preset : {"fermi-gtx480", "fermi-gebhart"}) {
    // no lane takes the branch; the jump from the fall-through side to the end redirects fetch
    EXPECT_EQ(both_sides(on(preset), 0), 1u + 6 + 3);
    EXPECT_EQ(both_sides(on(preset), 32), 3u + 10);
    EXPECT_EQ(both_sides(on(preset), 16), 1u + 6 + 3 + 10);
    const Machine slow = on(preset).with(front_end_latency(5));
    EXPECT_EQ(both_sides(slow, 0), 1u + 6 + 6);
    EXPECT_EQ(both_sides(slow, 32), 6u + 10);
    EXPECT_EQ(both_sides(slow, 16), 1u + 6 + 6 + 10);
  }
}

// Lane i must execute the loop body i + 1 times. The warp therefore executes the body 32 times, as often as
// its last lane.
TEST(Divergence, LoopRunsAsOftenAsItsLastLane) {
  const std::string body =
      "mov.u32 %r0, %tid.x;\nLOOP:\nadd.u32 %r1, %r1, 1;\nsetp.ne.u32 %p0, %r0, 0;\nsub.u32 %r0, %r0, 1;\n"
      "@%p0 bra LOOP;\nmov.u32 %r2, 1;";
  const Measured m = measure(on("fermi-gtx480").with(kLrr), body);
  EXPECT_EQ(m.issues.size(), 1u + 32 * 4 + 2);
  EXPECT_EQ(m.count("sm0.issue.divergent_branches"), 31u);
  EXPECT_EQ(m.issues[m.issues.size() - 2].mask, kAllLanes);
}

// Both warps must be able to issue in the cycle after the last arrival. On fermi-gtx480, each warp has a
// scheduler of its own. On fermi-gebhart, one scheduler issues one warp after the other.
TEST(Barrier, CostsOneCycleAfterTheLastArrival) {
  const std::string body = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n@%p0 bra MEET;\n" +
                           repeated(5, "add.u32 %r1, %r1, 1;") + "MEET:\nbar.sync 0;\nmov.u32 %r2, 1;";
  const auto check = [&](const Machine& machine, Cycle second_scheduler) {
    const Measured m = measure(machine.with(kLrr), body);
    const Cycle met = m.last_at(8);
    EXPECT_EQ(m.first_at(9), met + 1);
    EXPECT_EQ(m.last_at(9), met + 1 + second_scheduler);
    return met - m.first_at(8);
  };
  // The later warp executes 5 dependent additions, and issues the barrier in the cycle after the last one. It
  // therefore waits for 4 latencies of an addition: 9 cycles each on fermi-gtx480, 8 on fermi-gebhart, 25
  // with `slow`.
  const std::string slow = "sm.units.int_add.latency_cycles=25";
  EXPECT_EQ(check(on("fermi-gtx480", 64), 0) - check(on("fermi-gtx480", 64).with(slow), 0),
            static_cast<Cycle>(4 * 9 - 4 * 25));
  EXPECT_EQ(check(on("fermi-gebhart", 64), 1) - check(on("fermi-gebhart", 64).with(slow), 1),
            static_cast<Cycle>(4 * 8 - 4 * 25));
}

// A barrier orders memory accesses, so a warp arrives when its loads have completed.
TEST(Barrier, WaitsForTheWarpsOwnAccesses) {
  const std::string body = "ld.param.u64 %rd0, [buffer];\nld.global.u32 %r0, [%rd0];\nbar.sync 0;";
  const auto distance = [&](const Machine& machine) {
    const Measured m = measure(machine.with(kLrr), body);
    return m.first_at(2) - m.first_at(1);
  };
  EXPECT_EQ(distance(on("fermi-gebhart")), 400u);
  EXPECT_EQ(distance(on("fermi-gebhart").with("memory.latency_cycles=90")), 90u);
  EXPECT_EQ(distance(on("fermi-gtx480").with("sm.register_file.collector_operands_per_cycle=3")), 342u);
}

// Returns the number of issued instructions in 160 cycles, in the middle of a run. 32 warps execute chains of
// dependent additions, and only active warps may issue. `latency`: of an addition, in cycles.
std::uint64_t issues_in_window(const Machine& machine, int latency) {
  const Measured m = measure(machine.with("sm.units.int_add.latency_cycles=" + std::to_string(latency)),
                             repeated(40, "add.u32 %r0, %r0, 1;"));
  const Cycle from = m.issues.front().cycle + 100;
  return static_cast<std::uint64_t>(std::count_if(m.issues.begin(), m.issues.end(), [&](const Issue& issue) {
    return issue.cycle >= from && issue.cycle < from + 160;
  }));
}

TEST(TwoLevel, EightActiveOfThirtyTwoAgainstAll) {
  const auto two_level = [](const char* preset, int active) {
    return on(preset, 1024)
        .with("sm.register_file.banks.ports=1r1w")
        .with(R"(sm.scheduler={"type": "two-level", "inner": "round-robin", "active_warps": )" +
              std::to_string(active) + "}");
  };
  EXPECT_EQ(issues_in_window(two_level("fermi-gebhart", 8), 16), 80u);
  // 160 cycles * 8 active warps / latency of 32 cycles
  EXPECT_EQ(issues_in_window(two_level("fermi-gebhart", 8), 32), 40u);
  EXPECT_EQ(issues_in_window(two_level("fermi-gebhart", 8), 8), 160u);
  EXPECT_EQ(issues_in_window(two_level("fermi-gebhart", 32), 16), 160u);
  // 160 cycles * 8 active warps (4 for each of two schedulers) / latency of 20 cycles
  EXPECT_EQ(issues_in_window(two_level("fermi-gtx480", 4), 20), 64u);
  EXPECT_EQ(issues_in_window(two_level("fermi-gtx480", 4), 16), 80u);
  // 160 cycles * 32 active warps (16 for each of two schedulers) / latency of 20 cycles
  EXPECT_EQ(issues_in_window(two_level("fermi-gtx480", 16), 20), 256u);
  EXPECT_EQ(issues_in_window(on("fermi-gebhart", 1024).with(kLrr), 32), 160u);
}

// The only active warp must give up its slot when its load has left the collector. This is 3 cycles plus the
// banks' latency after the issue of the load.
TEST(TwoLevel, LongWaitHandsTheSlotOn) {
  const std::string body = "ld.param.u64 %rd0, [buffer];\nld.global.u32 %r0, [%rd0];\nadd.u32 %r1, %r0, 1;";
  const auto handed_on = [&](const Machine& machine) {
    const Measured m = measure(machine.with("sm.register_file.collector_operands_per_cycle=3")
                                   .with(R"(sm.scheduler={"type": "two-level", "active_warps": 1})"),
                               body);
    return m.of_warp(1)[0] - m.of_warp(0)[1];
  };
  const std::string one = "sm.schedulers_per_partition=1";
  EXPECT_EQ(handed_on(on("fermi-gebhart", 64)), 4u);
  EXPECT_EQ(handed_on(on("fermi-gtx480", 64).with(one)), 4u);
  EXPECT_EQ(handed_on(on("fermi-gebhart", 64).with("sm.register_file.banks.latency_cycles=3")), 6u);
}

TEST(TwoLevel, BarriersOfThirtyTwoWarps) {
  const std::string body = "mov.u32 %r0, 1;\nbar.sync 0;\nadd.u32 %r1, %r0, 1;\nbar.sync 0;\nmov.u32 %r2, 1;";
  for (const char* preset : {"fermi-gebhart", "fermi-gtx480"})
    for (const int active : {1, 2, 8})
      for (const char* inner : {"round-robin", "greedy", "greedy-oldest"}) {
        const Measured m =
            measure(on(preset, 1024)
                        .with(R"(sm.scheduler={"type": "two-level", "inner": ")" + std::string(inner) +
                              R"(", "active_warps": )" + std::to_string(active) + "}"),
                    body);
        EXPECT_EQ(m.count("sm0.issue.barriers"), 64u) << preset << " with " << active;
        EXPECT_EQ(m.count("sm0.issue.issued"), 32u * 6);
        EXPECT_LT(m.last_at(1), m.first_at(2));
        EXPECT_LT(m.last_at(3), m.first_at(4));
      }
}

}  // namespace
}  // namespace heddle::timing::control_test
