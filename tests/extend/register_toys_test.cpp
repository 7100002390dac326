// Runs register-file plug-ins with random programs and machines. Outputs must equal the untimed reference,
// and counters must add up.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "models/compiler/i_compiler_pass.h"
#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "tests/fuzz/fuzz_run.h"

namespace heddle {
namespace {

// A stage with one flow control for all senders: while any access waits for a retry notice, no sender may
// send.
class OneCredit : public PassingStage {
 public:
  OneCredit(const NoParameters&, Context& context) : PassingStage(context) {}
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }

 protected:
  Answer take(RegisterAccess& access) override {
    if (!credit_.may_send(now())) return Answer::refused;
    const Answer answer = forward(access);
    if (answer == Answer::refused) credit_.refused(now());
    return answer;
  }
  void tick() override {}
  void space_below() override {
    credit_.retried(now());
    retry();
  }

 private:
  CycleCredit credit_;
};

const Registration<RegisterStage, OneCredit> register_toys_test_entry{"test-one-credit",
                                                                      "all senders share one credit"};

constexpr std::uint64_t kPrograms = 8;

// Returns a random case with the stage `stage` directly above the banks, and with the settings `sets`.
fuzz::FuzzCase with(std::uint64_t seed, const std::string& stage, const std::vector<std::string>& sets) {
  fuzz::FuzzCase fuzz = fuzz::make_case(seed);
  const std::string list = "gpu.sm.register_file.stages=", last = "\"banks\"]";
  std::string stages = list + "[" + last;
  for (const std::string& set : fuzz.setting.sets)
    if (set.starts_with(list)) stages = set;
  if (!stage.empty()) stages.insert(stages.size() - last.size(), stage + ",");
  fuzz.setting.sets.push_back(stages);
  for (const std::string& set : sets) fuzz.setting.sets.push_back(set);
  return fuzz;
}

const std::string kRotating = "\"toy-rotating\"";
bool renames(const fuzz::FuzzCase& fuzz) {
  for (const std::string& set : fuzz.setting.sets)
    if (set.starts_with("gpu.sm.register_file.stages=") && set.find("renaming") != std::string::npos)
      return true;
  return false;
}

// Runs random programs with this stage and these settings. HEDDLE_FULL runs three times as many.
std::string first_failure(const std::string& stage, const std::vector<std::string>& sets,
                          std::uint64_t programs = kPrograms) {
  if (std::getenv("HEDDLE_FULL")) programs *= 3;
  std::uint64_t ran = 0;
  for (std::uint64_t seed = 1; ran < programs; ++seed) {
    const fuzz::FuzzCase fuzz = with(seed, stage, sets);
    if (stage == kRotating && renames(fuzz)) continue;
    ++ran;
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(fuzz, coverage);
    if (!failure.empty()) return "seed " + std::to_string(seed) + ": " + failure;
  }
  return {};
}

const std::string kBanks = "gpu.sm.register_file.banks.";

// With the stage test-one-credit, collectors and result bus share one flow control. A refused announcement
// then blocks the results that would free a slot for this announcement, so the machine must deadlock.
TEST(RegisterToys, TwoPlacesDeadLockWithOneCreditForAllSenders) {
  const std::string failure = first_failure(R"("test-one-credit",{"type":"toy-reserving","places":2})", {});
  EXPECT_NE(failure.find("nothing has been issued for"), std::string::npos) << failure;
}

TEST(RegisterToys, TwoPlacesForResultsNeverDeadLock) {
  EXPECT_EQ(first_failure(R"({"type":"toy-reserving","places":2})", {}), "");
  EXPECT_EQ(first_failure(R"({"type":"toy-reserving","places":32})", {kBanks + "queue_entries=1"}), "");
}

TEST(RegisterToys, EveryNewValueInAnotherEntry) {
  EXPECT_EQ(first_failure(kRotating, {}, 20), "");
  EXPECT_EQ(first_failure(kRotating, {kBanks + "queue_entries=2", kBanks + "ports=1r1w"}, 7), "");
}

TEST(RegisterToys, RowsThatSleepBetweenTheirUsesKeepTheirValues) {
  EXPECT_EQ(first_failure("", {kBanks + R"(power={"type":"toy-drowsy","wake_up_cycles":3})"}), "");
  EXPECT_EQ(first_failure(kRotating, {kBanks + R"(power={"type":"toy-drowsy"})"}), "");
}

TEST(RegisterToys, RowsThatAreTouchedAsleepLoseTheirValues) {
  EXPECT_NE(first_failure("", {kBanks + R"(power={"type":"toy-drowsy","wakes":false})"}), "");
}

class ForgetsNotes : public compiler::ICompilerPass {
 public:
  ForgetsNotes(const NoParameters&, Context&) {}
  compiler::PassStage stage() const override { return compiler::PassStage::after_allocation; }
  void run(compiler::CompilationUnit& unit) override {
    for (isa::Instruction& i : unit.annotate().code) i.notes = 0;
  }
};

const Registration<compiler::ICompilerPass, ForgetsNotes> forgets_notes_entry{
    "test-forgets-notes", "drops the notes of instructions"};

std::string first_noted_failure(const std::string& stage, const std::string& passes) {
  const std::uint64_t programs = kPrograms * (std::getenv("HEDDLE_FULL") ? 3 : 1);
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    fuzz::FuzzCase fuzz = with(seed, stage, {});
    for (std::string& set : fuzz.setting.sets) {
      if (!set.starts_with("compiler.passes=[")) continue;
      // The pass control-bits must stay the last pass.
      const std::size_t bits = set.find("\"control-bits\"");
      if (bits != std::string::npos)
        set.insert(set[bits - 1] == ' ' || set[bits - 1] == ':' ? set.rfind('{', bits) : bits, passes + ",");
      else
        set = set.substr(0, set.size() - 1) + (set.ends_with("[]") ? "" : ",") + passes + "]";
    }
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(fuzz, coverage);
    if (!failure.empty()) return "seed " + std::to_string(seed) + ": " + failure;
  }
  return {};
}

TEST(GuestSeams, RandomProgramsKeepTheirNotes) {
  EXPECT_EQ(first_noted_failure("\"toy-painter\"", "\"toy-colours\""), "");
  EXPECT_NE(first_noted_failure("\"toy-painter\"", R"("toy-colours","test-forgets-notes")")
                .find("attached does not hold"),
            std::string::npos);
}

TEST(GuestSeams, RandomProgramsWaitAtAStage) {
  EXPECT_EQ(first_failure(R"({"type":"toy-tollgate","cycles":5})", {}), "");
  EXPECT_EQ(first_failure(R"({"type":"toy-tollgate","sources":0,"cycles":1,"lasts":false})", {}), "");
}

TEST(RegisterToys, ShortEntriesHoldWhatFits) {
  EXPECT_EQ(first_failure("", {kBanks + "format=toy-short", kBanks + "lane_gating=none"}), "");
  EXPECT_EQ(first_failure(kRotating, {kBanks + "format=toy-short", kBanks + "lane_gating=none",
                                      kBanks + "queue_entries=3"}),
            "");
}

// Sub-banks that sleep lose their contents. A write that needs a sleeping sub-bank must wake the sub-bank and
// wait for it.
TEST(GuestSeams, SubBanksThatSleepKeepWhatRowsNeed) {
  for (const char* sub_banks : {"2", "4", "8"})
    for (const char* policy : {"conventional", "naive-blackout"}) {
      const std::string format = kBanks + R"(format={"type":"toy-zeros","fill_cycles":2,"sub_banks":)" +
                                 sub_banks + R"(,"gating":{"policy":")" + policy +
                                 R"(","idle_detect_cycles":1,"wake_up_cycles":5,"break_even_cycles":4}})";
      EXPECT_EQ(first_failure("", {format, kBanks + "lane_gating=none"}, 4), "");
      EXPECT_EQ(first_failure(kRotating,
                              {format, kBanks + "lane_gating=none", kBanks + "queue_entries=2",
                               kBanks + R"(arbiter="coalescing")"},
                              2),
                "");
    }
}

}  // namespace
}  // namespace heddle
