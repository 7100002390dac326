// Register-file parts of somebody else's under random programs, machines and stacks: the same bits as the
// untimed reference, and conserved counters.

#include <gtest/gtest.h>

#include <string>

#include "tests/hierarchy/random_stack.h"

namespace heddle {
namespace {

constexpr std::uint64_t kPrograms = 24;

// `stage` directly above the banks of every random stack; `sets` beside.
fuzz::FuzzCase with(std::uint64_t seed, const std::string& stage, const std::vector<std::string>& sets) {
  fuzz::FuzzCase fuzz = hierarchy::make_case(seed);
  const std::string list = "gpu.sm.register_file.stages=", last = "\"banks\"]";
  std::string stages = list + "[" + last;
  for (const std::string& set : fuzz.setting.sets)
    if (set.starts_with(list)) stages = set;
  if (!stage.empty()) stages.insert(stages.size() - last.size(), stage + ",");
  fuzz.setting.sets.push_back(stages);
  for (const std::string& set : sets) fuzz.setting.sets.push_back(set);
  return fuzz;
}

std::string first_failure(const std::string& stage, const std::vector<std::string>& sets) {
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(with(seed, stage, sets), coverage);
    if (!failure.empty()) return "seed " + std::to_string(seed) + ": " + failure;
  }
  return {};
}

const std::string kBanks = "gpu.sm.register_file.banks.";

// With one credit for collectors and result bus, a refused announcement would hold back the results that free
// its place.
TEST(RegisterToys, TwoPlacesForResultsNeverDeadLock) {
  EXPECT_EQ(first_failure(R"({"type":"toy-reserving","places":2})", {}), "");
  EXPECT_EQ(first_failure(R"({"type":"toy-reserving","places":32})", {kBanks + "queue_entries=1"}), "");
}

TEST(RegisterToys, EveryNewValueInAnotherEntry) {
  EXPECT_EQ(first_failure("\"toy-rotating\"", {}), "");
  EXPECT_EQ(first_failure("\"toy-rotating\"", {kBanks + "queue_entries=2", kBanks + "ports=1r1w"}), "");
}

TEST(RegisterToys, RowsThatSleepBetweenTheirUsesKeepTheirValues) {
  EXPECT_EQ(first_failure("", {kBanks + R"(power={"type":"toy-drowsy","wake_up_cycles":3})"}), "");
  EXPECT_EQ(first_failure("\"toy-rotating\"", {kBanks + R"(power={"type":"toy-drowsy"})"}), "");
}

TEST(RegisterToys, RowsThatAreTouchedAsleepLoseTheirValues) {
  EXPECT_NE(first_failure("", {kBanks + R"(power={"type":"toy-drowsy","wakes":false})"}), "");
}

TEST(RegisterToys, ShortEntriesHoldWhatFits) {
  EXPECT_EQ(first_failure("", {kBanks + "format=toy-short"}), "");
  EXPECT_EQ(first_failure("\"toy-rotating\"", {kBanks + "format=toy-short", kBanks + "queue_entries=3"}), "");
}

}  // namespace
}  // namespace heddle
