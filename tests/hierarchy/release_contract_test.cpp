// Tests register releases in the whole GPU (Jeon 2015, 6 and 7). In random programs, and in programs written
// for one rule, releases must arrive in permitted cycles. A wrong release flag must change the results.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/isa/release_flags.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/hierarchy/mutant_run.h"
#include "tests/hierarchy/release_monitor.h"

namespace heddle::hierarchy::release_contract_test {
namespace {

const std::string kMonitor = R"("test-release-monitor",)";
const std::string kFlags = R"("release-flags")";

// Makes a program from `body` (mutant_run.h). Its input words are at most 1000, so a guard that compares them
// with a larger number is false in all lanes.
fuzz::RandomProgram program_of(const std::string& body, int ctas = 1) {
  return hierarchy::program_of(body, ctas, 1000);
}

fuzz::FuzzCase case_of(const fuzz::RandomProgram& program, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> all = {"watch.max_cycles=200000", "watch.deadlock_cycles=20000",
                                  "compiler.passes=[" + kFlags + "]",
                                  R"(gpu.sm.front_end.stages=["release-flag-cache"])",
                                  "gpu.sm.register_file.stages=[" + kMonitor + R"("renaming","banks"])"};
  all.insert(all.end(), sets.begin(), sets.end());
  return case_on(program, "fermi-virtualization", all);
}

std::string outcome(const fuzz::FuzzCase& fuzz, const Sabotage& sabotage = {}) {
  fuzz::Coverage coverage;
  release_log() = {};
  return fuzz::run_case(fuzz, coverage, sabotage);
}

TEST(RegistersByOwner, RunWithoutATableAndWithoutFlags) {
  const auto program =
      program_of("mad.lo.u32 %r1, %r0, 3, 1;\nld.global.u32 %r2, [%rd1];\nadd.u32 %r30, %r1, %r2;", 9);
  for (const char* wake_up : {"1", "10"})
    EXPECT_EQ(
        outcome(case_on(program, "fermi-virtualization",
                        {"gpu.sm.max_ctas=2",
                         fmt::format(R"(gpu.sm.register_file.stages=[{{"type":"renaming","release":"warp-end",
                                 "allocate":"placement","latency_cycles":0,
                                 "gating":{{"policy":"conventional","wake_up_cycles":{}}}}},"banks"])",
                                     wake_up)})),
        "");
}

constexpr std::uint64_t kPrograms = 9, kMostPrograms = 60;

bool has(const fuzz::FuzzCase& fuzz, const std::string& parameter, const std::string& part) {
  bool found = false;
  for (const std::string& set : fuzz.setting.sets)
    if (set.starts_with(parameter)) found = set.find(part) != std::string::npos;
  return found;
}

// In random programs on random machines, each release of a register must arrive in a cycle in which it is
// permitted (release_monitor.h). The test continues until at least one release had to wait for a pending
// write.
TEST(Releases, OfRandomProgramsComeWhenTheyMay) {
  const std::string list = "gpu.sm.register_file.stages=[";
  std::uint64_t ran = 0, came = 0, lists = 0, guarded_off = 0, later = 0;
  for (std::uint64_t seed = 1; ran < kPrograms || (later == 0 && ran < kMostPrograms); ++seed) {
    fuzz::FuzzCase fuzz = fuzz::make_case(seed);
    if (!has(fuzz, list, R"("release": "flags")") || has(fuzz, list, "mutant-cache") ||
        !has(fuzz, "compiler.passes=", kFlags) ||
        !has(fuzz, "gpu.sm.front_end.stages=", "release-flag-cache"))
      continue;
    for (std::string& set : fuzz.setting.sets)
      if (set.starts_with(list)) set.insert(list.size(), kMonitor);
    ++ran;
    EXPECT_EQ(outcome(fuzz), "") << "seed " << seed;
    const ReleaseLog& log = release_log();
    EXPECT_EQ(log.fault, "") << "seed " << seed;
    came += log.came;
    lists += log.by_lists;
    guarded_off += log.by_guarded_off;
    later += log.later;
  }
  EXPECT_GT(came, 300u);
  EXPECT_GT(lists, 100u);
  EXPECT_GT(guarded_off, 10u);
  EXPECT_GT(later, 0u);
}

// All lanes branch around the instruction that reads r2, while the load to r2 is in flight. The release list
// at the join names r2, but must free r2 only after the load has written r2. The instructions after the list
// must not wait for this.
TEST(Releases, AListActsAtIssueAndBehindAPendingWrite) {
  const auto program = program_of(
      "mov.u32 %r30, 7;\nsetp.lt.u32 %p0, %r0, 100;\nld.global.u32 %r2, [%rd1];\n@%p0 bra S;\n"
      "add.u32 %r30, %r30, %r2;\nS:\nst.global.u32 [%rd2], %r30;\nld.global.u32 %r3, [%rd2];\n"
      "mad.lo.u32 %r30, %r30, 3, %r3;");
  std::uint32_t load = 0, loaded = 0, behind = 0;
  const auto look = [&](isa::Program& p) {
    for (std::uint32_t n = 0; n < p.code.size(); ++n) {
      const isa::Instruction& i = p.code[n];
      if (i.op == isa::Opcode::ld && i.memory.space == isa::Space::global && loaded == 0)
        load = n, loaded = i.dst[0].reg.value;
      if (i.is_branch()) behind = static_cast<std::uint32_t>(i.target);
    }
    while (p.code[behind].metadata) ++behind;
  };
  ASSERT_EQ(outcome(case_of(program), look), "");
  const ReleaseLog& log = release_log();
  EXPECT_EQ(log.fault, "");
  EXPECT_GT(log.later, 0u);
  const auto first = [&log](char what, std::uint32_t of, Cycle from = 0) {
    for (const ReleaseLog::Event& e : log.of_warp_0)
      if (e.what == what && e.of == of && e.cycle >= from) return e.cycle;
    return kNever;
  };
  const Cycle loads = first('i', load), joins = first('i', behind), arrives = first('w', loaded, loads);
  ASSERT_NE(arrives, kNever);
  EXPECT_LT(joins, arrives) << "what stands behind the list does not wait";
  EXPECT_EQ(first('r', loaded, loads), first('r', loaded, arrives)) << "not before the result";
  EXPECT_LT(first('r', loaded, arrives), arrives + 10);
}

// The last readers of %r1 and %r2 execute in no lane, because their guards are false. These readers must
// release the registers nevertheless, because later writes wait for the releases.
TEST(Releases, OfInstructionsGuardedOffComeAllTheSame) {
  std::string body = "ld.global.u32 %r3, [%rd1];\nsetp.gt.u32 %p0, %r3, 2000;\nmov.u32 %r30, 3;\n";
  for (int i = 0; i < 6; ++i)
    body +=
        "add.u32 %r1, %r0, 5;\nxor.b32 %r2, %r1, 9;\nadd.u32 %r30, %r30, %r2;\n"
        "@%p0 mad.lo.u32 %r30, %r1, %r2, %r30;\n";
  ASSERT_EQ(outcome(case_of(program_of(body))), "");
  EXPECT_EQ(release_log().fault, "");
  EXPECT_GE(release_log().by_guarded_off, 2u * 2 * 6);
}

// A barrier with its number in a register uses no operand collector, but must release the register.
TEST(Releases, OfBarriersComeAllTheSame) {
  std::string body = "mov.u32 %r30, 3;\n";
  for (int i = 0; i < 4; ++i)
    body +=
        "and.b32 %r1, %r0, 0;\nadd.u32 %r1, %r1, 1;\nbar.sync %r1;\nadd.u32 %r2, %r30, 5;\n"
        "xor.b32 %r30, %r2, %r0;\n";
  ASSERT_EQ(outcome(case_of(program_of(body))), "");
  EXPECT_EQ(release_log().fault, "");
  EXPECT_GT(release_log().by_control, 0u);
}

// A barrier writes its count to a register, but uses no collector. The register's entry must be claimed at
// issue. Every bank is only as large as one CTA needs. Without the claim, all entries could therefore be in
// use when the count must be written.
TEST(Releases, ACountOfABarrierHasItsEntry) {
  std::string body = "mov.u32 %r30, 3;\nld.global.u32 %r3, [%rd1];\nsetp.gt.u32 %p0, %r3, 500;\n";
  for (int i = 1; i < 9; ++i) body += fmt::format("add.u32 %r{}, %r3, {};\n", 10 + i, i);
  body += "bar.red.popc.u32 %r4, 0, %p0;\nadd.u32 %r30, %r30, %r4;\n";
  for (int i = 1; i < 9; ++i) body += fmt::format("mad.lo.u32 %r30, %r{}, {}, %r30;\n", 10 + i, i);
  EXPECT_EQ(outcome(case_of(
                program_of(body, 8),
                {R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated","register-throttle"])",
                 "gpu.sm.register_file.architected_entries=1024", "gpu.sm.register_file.banks.entries=12"})),
            "");
  EXPECT_EQ(release_log().fault, "");
}

// Each scheduler has one active warp, and the registers are enough for little more than one CTA. If an active
// warp waits for registers of an inactive warp, the active warp must give up its active slot.
TEST(Throttle, AWarpThatWaitsForRegistersGivesUpItsActiveSlot) {
  std::string body = "mov.u32 %r30, 3;\n";
  for (int i = 1; i < 9; ++i) body += fmt::format("ld.global.u32 %r{}, [%rd1];\nbar.sync 0;\n", i);
  for (int i = 1; i < 9; ++i) body += fmt::format("mad.lo.u32 %r30, %r{}, {}, %r30;\n", i, i);
  for (const char* scope : {"cta", "need"})
    EXPECT_EQ(outcome(case_of(program_of(body, 8),
                              {R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated",)"
                               R"({"type":"register-throttle","scope":")" +
                                   std::string(scope) + R"("}])",
                               R"(gpu.sm.scheduler={"type":"two-level","active_warps":1})",
                               "gpu.sm.register_file.architected_entries=1024",
                               "gpu.sm.register_file.banks.entries=12"})),
              "")
        << scope;
}

Sabotage flags_by(std::uint64_t (*f)(std::uint64_t)) {
  return [f](isa::Program& program) {
    for (isa::Instruction& i : program.code)
      if (isa::release_word(i) == isa::ReleaseWord::pir)
        i.payload = isa::encode_pir(f(isa::release_field(i.payload)));
  };
}
std::uint64_t mirrored_groups(std::uint64_t field) {
  std::uint64_t out = 0;
  for (int g = 0; g < isa::kReleaseGroups; ++g) {
    const std::uint64_t group = field >> (3 * g) & 7u;
    out |= ((group & 1u) << 2 | (group & 2u) | group >> 2) << (3 * g);
  }
  return out;
}
std::uint64_t group_too_early(std::uint64_t field) { return field << 3 & isa::kReleaseField; }

// Fault: sets the release flag not only at the last read of a register, but also at the read before the last
// read.
void one_read_early(isa::Program& program) {
  std::size_t word = 0, group = 0;
  std::vector<std::pair<std::size_t, std::size_t>> at(program.code.size());
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const isa::Instruction& i = program.code[n];
    if (isa::release_word(i) == isa::ReleaseWord::pir) word = n, group = 0;
    at[n] = {word, group};
    if (!i.metadata) group += static_cast<std::size_t>(isa::release_groups(i));
  }
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const std::size_t w = at[n].first, g = at[n].second;
    const isa::Instruction& i = program.code[n];
    if (i.metadata) continue;
    const std::uint64_t flags = isa::release_field(program.code[w].payload) << (3 * g) & isa::kReleaseField;
    isa::for_each_released_word(i, flags, [&](std::uint32_t r) {
      for (std::size_t m = n; m-- > w + 1;) {
        int source = 0;
        for (const isa::Operand& o : program.code[m].sources()) {
          if (!o.is_reg()) continue;
          if (o.reg.value == r && o.words() == 1) {
            program.code[at[m].first].payload |= isa::release_bit(source) >> (3 * at[m].second) << 4;
            return;
          }
          ++source;
        }
      }
    });
  }
}

// Part of a program. First, there are pairs of values that are read twice and die at the second read. Then
// follow a value that stays live, and two values that die.
const std::string kReadTwice = [] {
  std::string text = "ld.global.u32 %r1, [%rd1];\nmov.u32 %r30, 1;\n";
  for (int i = 2; i < 8; ++i) text += fmt::format("mad.lo.u32 %r{}, %r1, {}, {};\n", i, 2 * i + 1, i);
  for (int i = 2; i < 8; i += 2)
    text +=
        fmt::format("xor.b32 %r{0}, %r{2}, %r{3};\nsub.u32 %r{1}, %r{2}, %r{3};\n", 10 + i, 11 + i, i, i + 1);
  for (int i = 12; i < 18; i += 2)
    text += fmt::format("mad.lo.u32 %r{}, %r1, %r{}, %r{};\n", 8 + i, i, i + 1);
  for (int i = 20; i < 26; i += 2) text += fmt::format("mad.lo.u32 %r30, %r30, %r{}, %r1;\n", i);
  return text;
}();

TEST(WrongFlags, ShowInWhatIsComputed) {
  const auto fuzz = case_of(program_of(kReadTwice));
  ASSERT_EQ(outcome(fuzz), "");
  ASSERT_EQ(release_log().fault, "");
  const std::pair<const char*, Sabotage> wrong[] = {{"one read early", one_read_early},
                                                    {"bits of a group mirrored", flags_by(mirrored_groups)},
                                                    {"a group early", flags_by(group_too_early)}};
  for (const auto& [name, sabotage] : wrong) EXPECT_NE(outcome(fuzz, sabotage), "") << name;
}

// The fault releases %r1 at the last read by the executing lanes, on the fall-through side. The lanes that
// took the branch have still to read %r1 on the other side, so results must change.
TEST(WrongFlags, OfTheThreadRatherThanTheWarpShowInWhatIsComputed) {
  const auto fuzz = case_of(
      program_of("ld.global.u32 %r1, [%rd1];\nsetp.lt.u32 %p0, %r0, 16;\nmov.u32 %r30, 2;\n@%p0 bra A;\n"
                 "xor.b32 %r30, %r1, 77;\nbra S;\nA:\nadd.u32 %r30, %r1, %r1;\nS:\nadd.u32 %r30, %r30, 1;"));
  ASSERT_EQ(outcome(fuzz), "");
  ASSERT_EQ(release_log().fault, "");
  // Sets the release flag where a single thread reads the loaded value last: at the `xor` on one side of the
  // branch, and at the `add` on the other side.
  const Sabotage by_thread = [](isa::Program& program) {
    std::size_t word = 0, group = 0;
    std::uint32_t loaded = 0;
    for (std::size_t n = 0; n < program.code.size(); ++n) {
      const isa::Instruction& i = program.code[n];
      if (isa::release_word(i) == isa::ReleaseWord::pir) word = n, group = 0;
      if (i.metadata) continue;
      if (i.op == isa::Opcode::ld && i.memory.space == isa::Space::global) loaded = i.dst[0].reg.value;
      if ((i.op == isa::Opcode::xor_ || (i.op == isa::Opcode::add && i.num_src == 2 && i.src[1].is_reg())) &&
          i.src[0].is_reg() && i.src[0].reg.value == loaded && i.src[0].words() == 1)
        program.code[word].payload |= isa::release_bit(0) >> (3 * group) << 4;
      group += static_cast<std::size_t>(isa::release_groups(i));
    }
  };
  EXPECT_NE(outcome(fuzz, by_thread), "");
}

}  // namespace
}  // namespace heddle::hierarchy::release_contract_test
