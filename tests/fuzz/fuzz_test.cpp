// Random PTX programs must compute the same results on random timed machines as on the untimed reference. All
// machines together use every registered part, such as every scheduler. The counters must add up in every
// interval. All programs together must cover the instruction set and its control flow.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "tests/fuzz/fuzz_run.h"
#include "tests/support/lane_planners.h"

namespace heddle::fuzz {
namespace {

constexpr std::uint64_t kShares = 2;

void keep(const FuzzCase& fuzz, const std::string& name, const std::string& failure) {
  const std::string folder = (std::filesystem::path(testing::TempDir()) / "heddle-fuzz" / name).string();
  keep_case(fuzz, folder);
  ADD_FAILURE() << name << ": " << failure << "\n  heddle run " << folder << "/scenario.json";
}

class RandomPrograms : public testing::TestWithParam<std::uint64_t> {};

// By default, the first share has all programs, because half of them do not cover the instruction set.
TEST_P(RandomPrograms, ComputeTheSame) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  if (!full && GetParam() > 0) GTEST_SKIP() << "runs with scripts/test --full";
  const std::uint64_t programs = enough_settings() * (full ? 40 : 1);
  Coverage coverage;
  for (std::uint64_t seed = 1 + GetParam(); seed <= programs; seed += full ? kShares : 1) {
    const FuzzCase fuzz = make_case(seed);
    const std::string failure = run_case(fuzz, coverage);
    if (failure.empty()) continue;
    keep(fuzz, std::to_string(seed), failure);
  }
  std::fputs(coverage.report().c_str(), stdout);
  EXPECT_GE(coverage.opcode_share(), 0.95);
  EXPECT_EQ(coverage.missing(), "");
}

// Seeds of programs that failed once. 1926: the last write of a kernel waited for a slow row and was never
// served. 8833: phases of folding were shorter than blackout and wake-up; Heddle now refuses such phases.
TEST(Fuzz, WhatFailedOnce) {
  Coverage coverage;
  for (const std::uint64_t seed : {1926, 8833})
    EXPECT_EQ(run_case(make_case(seed), coverage), "") << "seed " << seed;
}

INSTANTIATE_TEST_SUITE_P(, RandomPrograms, testing::Range(std::uint64_t{0}, kShares));

// Random settings must use every registered part often enough. If a part occurs too rarely, or requires other
// parts, tests/support/random_parts.cpp needs a rule for the part.
TEST(RandomSettings, HaveEveryPart) {
  std::map<std::string, int> settings;
  for (std::uint64_t seed = 1; seed <= enough_settings(); ++seed)
    for (const std::string& part : parts_of(random_setting(seed).parameters())) ++settings[part];
  for (const std::string& part : drawable_parts())
    EXPECT_GE(settings[part], static_cast<int>(kSettingsPerPart))
        << part << " is in too few of " << enough_settings() << " settings";
}

// Machines whose compiler sets control bits refuse most other parts. Therefore, random settings leave these
// machines out, and this test runs random programs on them. On these machines, a program with a wrong stall
// count or counter computes a wrong value.
TEST(ModernCore, RandomProgramsKeepTheirValues) {
  const std::uint64_t programs = std::getenv("HEDDLE_FULL") ? 5000 : 40;
  const std::string scoreboard =
      R"(gpu.sm.constraints=["scoreboard","collector-free","latch-free","unit-gated"])";
  const std::string consumers =
      R"(gpu.sm.constraints=["consumer-scoreboard","collector-free","latch-free","unit-gated"])";
  // Seeds of programs that failed once, because the result of a barrier was written before the result of an
  // earlier instruction.
  std::vector<std::uint64_t> seeds{1181, 1627, 1723, 2187};
  for (std::uint64_t seed = 1; seed <= programs; ++seed) seeds.push_back(seed);
  for (const std::uint64_t seed : seeds)
    for (const char* preset : {"ampere-a6000", "turing-rtx2080ti"}) {
      FuzzCase fuzz = make_case(seed);
      fuzz.setting = {preset, {"gpu.sms=1", "watch.interval_cycles=500", "watch.max_cycles=20000000"}};
      if (seed % 8 == 0) fuzz.setting.sets.push_back(scoreboard);
      if (seed % 8 == 4) fuzz.setting.sets.push_back(consumers);
      Coverage coverage;
      const std::string failure = run_case(fuzz, coverage);
      if (!failure.empty()) keep(fuzz, std::string(preset) + "-" + std::to_string(seed), failure);
    }
}

void spoil(isa::Program& program) {
  std::vector<isa::Instruction*> additions;
  for (isa::Instruction& i : program.code) {
    const bool integer = i.type == isa::DataType::u32 || i.type == isa::DataType::s32 ||
                         i.type == isa::DataType::u64 || i.type == isa::DataType::s64;
    if (i.op == isa::Opcode::add && integer && !i.modifiers.carry_in && !i.modifiers.carry_out)
      additions.push_back(&i);
  }
  additions.at(additions.size() / 2)->op = isa::Opcode::sub;
}

// In each random program, one instruction is changed. At least half of the programs must then leave different
// memory. A change has no effect if no lane executes the instruction, or if the second operand of the
// instruction is 0.
TEST(Fuzz, ASpoiledInstructionShows) {
  constexpr int kCases = 30;
  int noticed = 0;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    Coverage coverage;
    noticed += !run_case(make_case(seed), coverage, spoil).empty();
  }
  EXPECT_GE(noticed, kCases / 2);
  std::printf("%d of %d spoiled programs were noticed\n", noticed, kCases);
}

// A lane planner may move threads to other lanes, or divide instructions into passes. Neither must change
// results.
TEST(Fuzz, LanesMayBeMoved) {
  testing_support::MirrorPlanner mirror;
  testing_support::LowerHalfPlanner lower;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    LanePlanner* planner = seed % 2 ? static_cast<LanePlanner*>(&mirror) : &lower;
    Coverage coverage;
    const std::string failure = run_case(make_case(seed), coverage, {}, [planner](Gpu& gpu) {
      for (const auto& sm : gpu.sms()) sm->set_lane_planner(planner);
    });
    EXPECT_EQ(failure, "") << "seed " << seed;
  }
  EXPECT_GT(mirror.plans, 1000);
  EXPECT_GT(lower.two_passes, 1000);
}

}  // namespace
}  // namespace heddle::fuzz
