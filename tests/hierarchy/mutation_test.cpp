// Each mutant is a register cache or operand file with one deliberate fault, which breaks one rule of the
// register hierarchy. The fault must lead to wrong values in a program written for the rule, and in at least
// 90 % of the random programs that read a value which the fault has lost.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/hierarchy/mutant_cache.h"
#include "tests/hierarchy/mutant_run.h"
#include "tests/support/part_order.h"

namespace heddle::hierarchy {
namespace {

const std::string kSixValues = [] {
  std::string text;
  for (int i = 1; i <= 6; ++i) text += fmt::format("mad.lo.u32 %r{}, %r0, {}, {};\n", i, 2 * i + 1, 100 * i);
  text += "mov.u32 %r30, %r1;\n";
  for (int i = 2; i <= 6; ++i) text += fmt::format("xor.b32 %r30, %r30, %r{};\n", i);
  return text;
}();

fuzz::FuzzCase case_of(const fuzz::RandomProgram& program, const std::string& stages,
                       const std::string& passes) {
  return case_on(
      program, "fermi-gebhart",
      {"compiler.passes=[" + passes + "]", R"(gpu.sm.scheduler={"type":"two-level","active_warps":1})",
       "gpu.sm.register_file.stages=" + stages});
}

std::string outcome(const fuzz::FuzzCase& fuzz, const Sabotage& sabotage = {}) {
  fuzz::Coverage coverage;
  mutant_log() = {};
  return fuzz::run_case(fuzz, coverage, sabotage);
}

std::string mutant(const std::string& rule, int entries, const std::string& options = "") {
  return fmt::format(R"([{{"type":"mutant-cache","rule":"{}","entries":{}{}}},"banks"])", rule, entries,
                     options);
}

void expect_noticed(const fuzz::FuzzCase& sound, const fuzz::FuzzCase& broken,
                    const Sabotage& sabotage = {}) {
  EXPECT_EQ(outcome(sound), "") << "the program itself";
  const std::string message = outcome(broken, sabotage);
  EXPECT_NE(message, "");
  EXPECT_EQ(message.find("operand_file"), std::string::npos)
      << "the stage's own check, not values: " << message;
}

bool reads(const isa::Instruction& i, RegId reg) {
  return std::any_of(i.sources().begin(), i.sources().end(),
                     [reg](const isa::Operand& o) { return o.is_reg() && o.reg == reg; });
}
bool writes(const isa::Instruction& i, RegId reg) {
  return std::any_of(i.destinations().begin(), i.destinations().end(),
                     [reg](const isa::Operand& o) { return o.is_reg() && o.reg == reg; });
}

// Makes wrong compiler hints: for every register, marks the read before the last read as the last read.
void release_one_read_early(isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); ++n)
    for (isa::Operand& o : program.code[n].sources()) {
      if (!o.is_reg() || !o.annotation.last_use) continue;
      for (std::size_t m = n; m-- > 0 && !writes(program.code[m], o.reg) && !program.code[m].is_branch();) {
        if (!reads(program.code[m], o.reg)) continue;
        for (isa::Operand& earlier : program.code[m].sources())
          if (earlier.is_reg() && earlier.reg == o.reg) earlier.annotation.last_use = true;
        break;
      }
    }
}

void mark_live_dead(isa::Program& program) {
  int results = 0;
  for (isa::Instruction& i : program.code)
    for (isa::Operand& o : i.destinations())
      if (o.is_reg() && ++results % 3 == 0) o.annotation.dead = true;
}

// Ends a strand at every third instruction, even if operand file entries hold values that are read later.
void end_strands_anywhere(isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); n += 3) program.code[n].ends_strand = true;
}

constexpr const char* kHints = R"("long-latency-marks","liveness-hints")";

TEST(Mutants, ASkippedWriteBackIsNoticed) {
  const auto program = program_of(kSixValues);
  expect_noticed(case_of(program, mutant("none", 2), kHints),
                 case_of(program, mutant("skip-write-back", 2), kHints));
}

// Fault: the cache is not flushed when the warp is descheduled. The warp is descheduled at the instruction
// that needs the loaded value, when only the register cache holds the values of %r1 to %r3.
TEST(Mutants, AForgottenFlushIsNoticed) {
  const auto program = program_of(
      "mad.lo.u32 %r1, %r0, 3, 1;\nmad.lo.u32 %r2, %r0, 5, 2;\nmad.lo.u32 %r3, %r0, 7, 3;\n"
      "ld.global.u32 %r4, [%rd1];\nadd.u32 %r4, %r4, 1;\nxor.b32 %r30, %r4, %r1;\n"
      "xor.b32 %r30, %r30, %r2;\nxor.b32 %r30, %r30, %r3;");
  expect_noticed(case_of(program, mutant("none", 12), kHints),
                 case_of(program, mutant("forget-flush", 12), kHints));
}

TEST(Mutants, AReleaseOneReadEarlyIsNoticed) {
  const auto program = program_of(
      "mad.lo.u32 %r1, %r0, 3, 1;\nadd.u32 %r2, %r1, 9;\nmul.lo.u32 %r3, %r1, 5;\nxor.b32 %r30, %r2, %r3;");
  const auto fuzz = case_of(program, mutant("none", 12), kHints);
  expect_noticed(fuzz, fuzz, release_one_read_early);
}

TEST(Mutants, ALiveRegisterMarkedDeadIsNoticed) {
  const auto fuzz = case_of(program_of(kSixValues), mutant("none", 2), kHints);
  expect_noticed(fuzz, fuzz, mark_live_dead);
}

// Fault: a read of %r1 uses the operand file entry although the strand has ended. The strand ends at the
// instruction that uses the loaded value.
void pass_over_strand_end(isa::Program& program) {
  std::size_t end = 0;
  while (!program.code[end].ends_strand) ++end;
  for (std::size_t n = end; n-- > 0;)
    for (isa::Operand& written : program.code[n].destinations()) {
      if (!written.is_reg() || written.bits != 32 || program.code[n].is_memory()) continue;
      for (std::size_t m = end + 1; m < program.code.size(); ++m)
        for (isa::Operand& read : program.code[m].sources()) {
          if (!read.is_reg() || read.reg != written.reg) continue;
          written.annotation.write_levels = isa::level_bit(isa::kOperandLevel);
          read.annotation = {};
          read.annotation.read_level = isa::kOperandLevel;
          read.annotation.entry = written.annotation.entry = 0;
          return;
        }
    }
  FAIL() << "no value is passed over the strand's end";
}

TEST(Mutants, AValueThatCrossesAStrandIsNoticed) {
  const auto program = program_of(
      "ld.global.u32 %r4, [%rd1];\nmad.lo.u32 %r1, %r0, 3, 1;\nadd.u32 %r5, %r4, 1;\nxor.b32 %r30, %r5, "
      "%r1;");
  const std::string stages = R"([{"type":"operand-file","checked":false},"banks"])";
  const auto fuzz = case_of(program, stages, R"("strands",{"type":"operand-file","entries":3})");
  expect_noticed(fuzz, fuzz, pass_over_strand_end);
}

constexpr std::uint64_t kAlways = 12;

std::uint64_t random_programs() {
  const char* asked = std::getenv("HEDDLE_PROGRAMS");
  return asked ? std::strtoull(asked, nullptr, 10) : kAlways;
}

// Returns a random case, to which the caller adds the register stages of a mutant. These stages do not rename
// registers. The case therefore admits only CTAs for whose registers the banks have entries
// (architected_entries = 0).
fuzz::FuzzCase random_case(std::uint64_t seed) {
  fuzz::FuzzCase fuzz = fuzz::make_case(seed);
  fuzz.setting.sets.push_back("gpu.sm.register_file.architected_entries=0");
  return fuzz;
}

// A lost value need not change an output: one of twenty programs still computes the right results. The test
// begins with seed 113, because the program of seed 112 loses only values that change no output.
constexpr std::uint64_t kFirstProgram = 113;

struct RandomMutant {
  const char* name;
  std::string stages;
  Sabotage sabotage;
};

// Runs random programs. If the mutant lost a value that was read later, the outputs must differ from the
// reference.
TEST(Mutants, RandomProgramsNoticeWhatTheyRead) {
  ASSERT_STREQ(mutant_cache(), "mutant-cache");
  const RandomMutant mutants[] = {
      {"skip-write-back", mutant("skip-write-back", 3), {}},
      {"forget-flush", mutant("forget-flush", 6), {}},
      {"early release", mutant("none", 6), release_one_read_early},
      {"live marked dead", mutant("none", 2), mark_live_dead},
  };
  for (const RandomMutant& m : mutants) {
    int lost = 0, noticed = 0;
    for (std::uint64_t seed = kFirstProgram; seed < kFirstProgram + random_programs(); ++seed) {
      fuzz::FuzzCase fuzz = random_case(seed);
      fuzz.setting.sets.push_back(
          "compiler.passes=" +
          testing_support::pass_list(true, {"\"long-latency-marks\"", "\"liveness-hints\""}));
      fuzz.setting.sets.push_back("gpu.sm.register_file.stages=" + m.stages);
      fuzz.setting.sets.push_back(R"(gpu.sm.scheduler={"type":"two-level","active_warps":1})");
      const std::string message = outcome(fuzz, m.sabotage);
      // Skip programs that do not fit: without the stage `renaming`, a random register file may be too small.
      if (message.find("does not fit on an SM") != std::string::npos) continue;
      if (mutant_log().lost_read == 0) {
        EXPECT_EQ(message, "") << m.name << ", seed " << seed << ": nothing was lost";
        continue;
      }
      ++lost;
      noticed += !message.empty();
      if (seed < kFirstProgram + kAlways) {
        EXPECT_NE(message, "") << m.name << ", seed " << seed << ": " << mutant_log().lost_read
                               << " reads of lost values";
      }
    }
    EXPECT_GE(noticed * 10, lost * 9) << m.name;
    EXPECT_GT(lost, 0) << m.name;
    std::printf("%s: %d of %d runs with lost values noticed\n", m.name, noticed, lost);
  }
}

// The operand file with checks reports a read after a strand's end as an error. An operand file without
// checks must deliver poison, so that the outputs differ.
TEST(Mutants, RandomProgramsNoticeStrandsThatEndTooEarly) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= random_programs(); ++seed) {
    fuzz::FuzzCase fuzz = random_case(seed);
    fuzz.setting.sets.push_back(
        "compiler.passes=" +
        testing_support::pass_list(true, {"\"strands\"", R"({"type":"operand-file","entries":4})"}));
    fuzz.setting.sets.push_back(
        R"(gpu.sm.register_file.stages=[{"type":"operand-file","entries":4},"banks"])");
    const std::string checked = outcome(fuzz, end_strands_anywhere);
    fuzz.setting.sets.back() =
        R"(gpu.sm.register_file.stages=[{"type":"operand-file","entries":4,"checked":false},"banks"])";
    const std::string unchecked = outcome(fuzz, end_strands_anywhere);
    const bool used = checked.find("does not hold it") != std::string::npos;
    lost += used;
    EXPECT_EQ(unchecked != "", used) << "seed " << seed << ": " << checked << " / " << unchecked;
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace heddle::hierarchy
