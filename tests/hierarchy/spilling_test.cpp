// Tests the spilling of registers (Jeon 2015, 8.1). A CTA that needs more registers than the register file
// has must compute the right results, whatever is live across its barriers. If a spilled value is lost, the
// results must change.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/core/registry.h"
#include "models/ports/register_stage.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/hierarchy/mutant_run.h"

namespace heddle::hierarchy::spilling {
namespace {

struct SpoilParameters {
  std::string fault = "none";
  void fields(FieldVisitor& v) {
    v.field("fault", fault, {"none", "lost", "other-register", "half-the-lanes"}, "what goes wrong");
  }
};

bool moves_registers(const RegisterAccess& access) {
  const isa::Instruction* i = access.instruction;
  return i && i->overhead && i->begins_strand && i->ends_strand && i->memory.space == isa::Space::local;
}

/// "test-spoil": a register stage that corrupts spilled values: either those that spill stores read from
/// registers, or those that spill loads write back to registers.
class Spoil : public PassingStage {
 public:
  Spoil(const SpoilParameters& p, Context& context) : PassingStage(context), fault_(p.fault) {}
  std::optional<StageBalance> balance(const RegisterFlow& came) const override {
    return StageBalance{came, {}};
  }

 protected:
  Answer take(RegisterAccess& access) override {
    if (!moves_registers(access)) return forward(access);
    const RegId own = access.home;
    if (access.command == RegisterCommand::read && fault_ == "other-register")
      access.set_register(access.warp, RegId(own.value ^ 1));
    if (access.command == RegisterCommand::write && fault_ == "lost") access.values->fill(0);
    if (access.command == RegisterCommand::write && fault_ == "half-the-lanes") access.mask = 0xffff;
    const Answer answer = forward(access);
    if (answer == Answer::refused) access.set_register(access.warp, own);
    return answer;
  }
  void tick() override {}

 private:
  std::string fault_;
};

const Registration<RegisterStage, Spoil, SpoilParameters> spilling_test_entry{"test-spoil",
                                                                              "spoils what goes to memory"};

// Returns a program with eight warps per CTA and three barriers. Values are live across the barriers:
// registers of all lanes, registers of the lanes that a predicate selects, a register that only these lanes
// write, and predicates. A barrier also returns a count, in a register that had another value before.
fuzz::RandomProgram eight_warps(int ctas) {
  std::string body = "ld.global.u32 %r3, [%rd1];\nsetp.gt.u32 %p0, %r3, 500;\nmov.u32 %r4, 9;\n";
  for (int i = 0; i < 8; ++i)
    body += fmt::format("mad.lo.u32 %r{}, %r3, {}, {};\n", 10 + i, 2 * i + 3, 100 * i + 7);
  body += "@%p0 add.u32 %r20, %r3, 77;\nbar.sync 0;\n@%p0 add.u32 %r11, %r11, 5;\n";
  body +=
      "setp.lt.u32 %p1, %r11, %r12;\n@%p1 bar.red.popc.u32 %r4, 0, %p0;\n@!%p1 bar.red.popc.u32 %r5, 0, "
      "%p0;\n";
  body +=
      "@!%p1 add.u32 %r4, %r4, %r5;\nbar.sync 0;\nmov.u32 %r30, %r4;\n@%p0 mad.lo.u32 %r30, %r20, 3, %r30;\n";
  for (int i = 0; i < 8; ++i) body += fmt::format("mad.lo.u32 %r30, %r30, 5, %r{};\n", 10 + i);
  fuzz::RandomProgram program = hierarchy::program_of(body, ctas, 1000);
  const auto replace = [](std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace(program.launch_json, "\"block\": [64]", "\"block\": [256]");
  replace(program.launch_json, fmt::format("\"count\": {}", 64 * ctas),
          fmt::format("\"count\": {}", 256 * ctas));
  replace(program.ptx, "%r31, 64, %r0", "%r31, 256, %r0");
  return program;
}

fuzz::FuzzCase case_of(const fuzz::RandomProgram& program, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> all = {
      "watch.max_cycles=400000",
      "watch.deadlock_cycles=20000",
      R"(compiler.passes=["release-flags"])",
      "compiler.max_registers=16",
      R"(gpu.sm.front_end.stages=["release-flag-cache"])",
      R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated",{"type":"register-throttle","on_shortage":"spill"}])",
      R"(gpu.admission=["warps","ctas","registers","shared-memory","physical-registers"])",
      "gpu.sm.register_file.architected_entries=1024",
      "gpu.sm.register_file.banks.entries=6",
      R"(gpu.sm.register_file.stages=["renaming","banks"])"};
  all.insert(all.end(), sets.begin(), sets.end());
  return hierarchy::case_on(program, "fermi-virtualization", all);
}

struct Outcome {
  std::string failure;
  std::uint64_t spilled = 0;
};
Outcome outcome(const fuzz::FuzzCase& fuzz) {
  fuzz::Coverage coverage;
  const std::string failure = fuzz::run_case(fuzz, coverage);
  return {failure, coverage.spilled()};
}

// The register file has 24 registers; the CTA's eight warps need up to 16 each. Results must be right with
// different schedulers, kinds of release and register caches.
TEST(Spilling, ACtaThatNeedsMoreThanTheFileComputesTheSame) {
  const std::string stages = "gpu.sm.register_file.stages=";
  const std::string strands =
      R"(compiler.passes=["strands",{"type":"operand-file","entries":3},"release-flags"])";
  const std::vector<std::vector<std::string>> all = {
      {},
      {"gpu.sms=2"},
      {"gpu.sm.scheduler=lrr"},
      {R"(gpu.sm.scheduler={"type":"fetch-group","group_warps":2})", "gpu.sm.issue_width=2"},
      {R"(gpu.sm.scheduler={"type":"two-level","active_warps":1})"},
      {R"(gpu.sm.scheduler={"type":"two-level","active_warps":2})",
       stages + R"([{"type":"register-cache","entries":4},"renaming","banks"])"},
      {R"(gpu.sm.scheduler={"type":"two-level","active_warps":1})", strands,
       stages +
           R"([{"type":"operand-file","entries":3},{"type":"register-cache","entries":2},"renaming","banks"])"},
      {stages +
       R"([{"type":"renaming","allocate":"write","packing":"round-robin","bank_full":"next-bank"},"banks"])"},
      {stages + R"([{"type":"renaming","release":"redefinition"},"banks"])"},
      {stages + R"([{"type":"renaming","gating":{"policy":"conventional","wake_up_cycles":10}},"banks"])"},
      {R"(compiler.passes=[{"type":"exempt-registers","table_bytes":128},"release-flags"])"},
      {"gpu.sm.partitions=2", "gpu.sm.schedulers_per_partition=1"},
      {"watch.every_cycle=true", "watch.shuffle_seed=3"}};
  for (const std::vector<std::string>& sets : all) {
    const Outcome run = outcome(case_of(eight_warps(3), sets));
    EXPECT_EQ(run.failure, "") << fmt::format("{}", fmt::join(sets, " "));
    EXPECT_GT(run.spilled, 20u) << fmt::format("{}", fmt::join(sets, " "));
  }
}

// The test increases the number of entries of a bank, from the number that one warp needs. Each time, no more
// registers may be spilled than before; with the largest number, none.
TEST(Spilling, TheLeastFileHoldsOneWarp) {
  std::uint64_t before = ~std::uint64_t{0};
  for (const int entries : {4, 8, 16, 40}) {
    const Outcome run =
        outcome(case_of(eight_warps(2), {fmt::format("gpu.sm.register_file.banks.entries={}", entries)}));
    EXPECT_EQ(run.failure, "") << entries;
    EXPECT_LE(run.spilled, before) << entries;
    before = run.spilled;
  }
  EXPECT_EQ(before, 0u);
}

TEST(Spilling, WhatIsRefusedIsNamed) {
  const std::string refuse = "gpu.sm.constraints[register-throttle].on_shortage=refuse";
  EXPECT_NE(
      outcome(case_of(eight_warps(1), {refuse})).failure.find("registers for each of 8 warps at a time"),
      std::string::npos);
  EXPECT_NE(outcome(case_of(eight_warps(1),
                            {"gpu.sm.register_file.banks.entries=1",
                             R"(gpu.sm.register_file.stages=[{"type":"renaming","subarrays":1},"banks"])"}))
                .failure.find("registers for one warp at a time"),
            std::string::npos);
}

// Each fault must change the results. A spilled value is lost, is replaced by another register's value, or is
// restored only in some lanes.
TEST(SpillingFaults, ShowInWhatIsComputed) {
  const auto with = [](const std::string& fault) {
    return outcome(case_of(eight_warps(2), {R"(gpu.sm.register_file.stages=[{"type":"test-spoil","fault":")" +
                                            fault + R"("},"renaming","banks"])"}))
        .failure;
  };
  EXPECT_EQ(with("none"), "");
  for (const char* fault : {"lost", "other-register", "half-the-lanes"})
    EXPECT_TRUE(is_of_values(with(fault))) << fault << ": " << with(fault);
}

}  // namespace
}  // namespace heddle::hierarchy::spilling
