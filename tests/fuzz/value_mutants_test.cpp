// Runs mutants of 20 programs. Each mutant has one wrong control bit, and runs as the only warp of a machine,
// without the compiler's check of control bits. Only mutants that this check would reject are counted. The
// test lists each mutant that leaves right values, with the reason. Of all mutants except those "not
// executed" and "in time", at least 95 % must leave wrong values (85 % without HEDDLE_FULL). Reasons:
// - not executed: the warp does not issue the changed instruction.
// - in time: a second run checks the order of accesses, and finds all operands and results in time. For
//   example, the pipeline reads the sources of loads and stores 6 cycles after issue, and no later
//   instruction overwrites them earlier than 10 cycles after issue. So a warp that runs alone never needs the
//   read counters.
// - unread: a value was wrong or came too late, but no instruction read it, or it equals the right value.
//
// The compiler's latencies are set to those of the machine's pipeline. On ampere-a6000, the compiler
// otherwise counts more cycles than the pipeline takes for guards, addresses and readers in other units. A
// stall that is one cycle too short would then change no value.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "models/compiler/check_control_bits.h"
#include "tests/compiler/control_mutants.h"
#include "tests/fuzz/lone_warp.h"
#include "tests/support/dice.h"

namespace heddle::fuzz {
namespace {

using compiler::test::control_mutants;
using compiler::test::ControlMutant;

constexpr std::uint64_t kPrograms = 20;

const RandomSetting kMachine{"ampere-a6000",
                             {"gpu.sms=1", "watch.max_cycles=2000000", "watch.deadlock_cycles=50000",
                              "gpu.sm.dependences.other_unit_cycles=0", "gpu.sm.dependences.address_cycles=0",
                              "gpu.sm.dependences.guard_cycles=6"}};

/// Writes a program in which every value affects memory: a loop of arithmetic, loads, stores and guards on
/// %r1 to %r12. Each operation is a bijection in each operand, so an outdated operand always gives another
/// result.
class DenseProgram {
 public:
  explicit DenseProgram(std::uint64_t seed) : dice_(seed) {}

  RandomProgram program() {
    std::string body;
    for (int r = 1; r <= kValues; ++r)
      body += fmt::format("ld.global.u32 %r25, [%rd1+{}];\nadd.u32 %r{}, %r25, %r0;\n", 4096 + 128 * r, r);
    body += "mov.u32 %r20, 0;\nLOOP:\n";
    for (int n = 0; n < kStatements; ++n) body += statement(128 * n);
    body += "add.u32 %r20, %r20, 1;\nsetp.lt.u32 %p7, %r20, 3;\n@%p7 bra LOOP;\n";
    for (int r = 1; r <= kValues; ++r) body += fmt::format("st.global.u32 [%rd2+{}], %r{};\n", 128 * r, r);
    for (const int slot : stored_)
      body += fmt::format("ld.shared.u32 %r25, [%r21+{0}];\nst.global.u32 [%rd2+{1}], %r25;\n", slot,
                          16384 + slot);
    RandomProgram program;
    program.ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry fuzz(.param .u64 in, .param .u64 out) {
.reg .u32 %r<32>;
.reg .f32 %f<4>;
.reg .u64 %rd<8>;
.reg .pred %p<8>;
.shared .align 4 .b8 words[8192];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r0, %tid.x;
mov.u32 %r21, words;
mad.lo.u32 %r21, %r0, 4, %r21;
mul.wide.u32 %rd3, %r0, 4;
add.u64 %rd1, %rd1, %rd3;
add.u64 %rd2, %rd2, %rd3;
)" + body + "ret;\n}\n";
    program.launch_json = R"({"ptx": "program.ptx", "buffers": {
      "in": {"type": "u32", "count": 2048, "init": {"kind": "uniform", "low": 0, "high": 4294967295, "seed": 5}},
      "out": {"type": "u32", "count": 8192, "init": {"kind": "zeros"}}},
      "steps": [{"kernel": "fuzz", "grid": [1, 1, 1], "block": [32, 1, 1], "args": [{"buffer": "in"}, {"buffer": "out"}]}]})";
    program.lines.resize(static_cast<std::size_t>(std::count(program.ptx.begin(), program.ptx.end(), '\n')) +
                         2);
    return program;
  }

 private:
  static constexpr int kValues = 12, kStatements = 36;

  std::string value() { return fmt::format("%r{}", dice_.between(1, kValues)); }
  // Returns statements with a floating-point sum of small integers, which is exact.
  std::string floating() {
    return fmt::format(
        "and.b32 %r22, {}, 1023;\nand.b32 %r23, {}, 1023;\ncvt.rn.f32.u32 %f0, %r22;\ncvt.rn.f32.u32 %f1, "
        "%r23;\n"
        "fma.rn.f32 %f2, %f0, %f1, %f0;\nadd.f32 %f3, %f2, %f1;\ncvt.rzi.u32.f32 %r24, %f3;\nxor.b32 {}, {}, "
        "%r24;\n",
        value(), value(), value(), value());
  }
  /// Returns a random statement. `slot`: offset in bytes of the statement's own word, from the thread's first
  /// word in shared and global memory.
  std::string statement(int slot) {
    const std::string d = value(), a = value(), b = value(), c = value();
    const int kind = dice_.pick(10);
    if (kind == 2 || kind == 3) stored_.push_back(slot);
    switch (kind) {
      case 0:
        return fmt::format("ld.global.u32 %r25, [%rd1+{}];\nadd.u32 {}, {}, %r25;\n", slot, d, a);
      case 1:
        return fmt::format(
            "and.b32 %r26, {}, 15;\nmul.wide.u32 %rd4, %r26, 128;\nadd.u64 %rd5, %rd1, %rd4;\n"
            "ld.global.u32 %r25, [%rd5];\nsub.u32 {}, %r25, {};\n",
            a, d, b);
      case 2:
        return fmt::format("st.shared.u32 [%r21+{}], {};\nmad.lo.u32 {}, {}, 5, {};\n", slot, a, a, b, c);
      case 3:
        return fmt::format(
            "st.shared.u32 [%r21+{0}], {1};\nld.shared.u32 %r27, [%r21+{0}];\nxor.b32 {2}, %r27, {3};\n",
            slot, a, d, b);
      case 4:
        return fmt::format("setp.lt.u32 %p0, {}, {};\n@%p0 add.u32 {}, {}, 77;\n", a, b, d, d);
      case 5:
        return fmt::format("setp.lt.u32 %p1, {}, {};\nselp.b32 %r28, {}, {}, %p1;\nadd.u32 {}, {}, %r28;\n",
                           a, b, a, c, d, d);
      case 6:
        return floating();
      case 7:
        return fmt::format("st.global.u32 [%rd2+{}], {};\nadd.u32 {}, {}, {};\n", 8192 + slot, a, a, b, c);
      default:
        return fmt::format("mad.lo.u32 {}, {}, {}, {};\n", d, a, 2 * dice_.pick(500) + 3, b);
    }
  }

  Dice dice_;
  std::vector<int> stored_;  ///< offsets of written words in shared memory
};

/// Reasons why a program with one wrong control bit computes right values. not_executed: the warp did not
/// execute the changed instruction. in_time: the operands and results were in time despite the change.
/// unread: no instruction read the wrong value.
enum class Unseen { not_executed, in_time, unread };
constexpr const char* kReasons[] = {"not executed", "in time", "unread"};

struct Tally {
  int refused = 0, shown = 0;
  std::map<Unseen, int> unseen;
};

class Mutants {
 public:
  /// Runs only every n-th mutant, where n is `share`.
  explicit Mutants(std::size_t share) : share_(share) {}

  void add(std::uint64_t seed) {
    const LoneWarp warp(DenseProgram(seed).program(), kMachine);
    const LoneOutcome right = warp.run(warp.program(), true);
    ASSERT_EQ(right.difference, "") << "seed " << seed;
    isa::Program changed = warp.program();
    const compiler::ControlFlow flow(changed);
    const compiler::Divergence divergence(changed, flow);
    for (const ControlMutant& m : control_mutants(warp.program())) {
      if (m.kind == "reuse cleared" || next_++ % share_ != 0) continue;
      changed.code[m.instruction] = m.changed;
      if (const auto fault = compiler::find_control_fault(changed, flow, divergence))
        run(seed, warp, changed, m, right, fault->what);
      changed.code[m.instruction] = warp.program().code[m.instruction];
    }
  }

  const std::map<std::string, Tally>& tallies() const { return tallies_; }
  const std::string& list() const { return list_; }

 private:
  void run(std::uint64_t seed, const LoneWarp& warp, const isa::Program& changed, const ControlMutant& m,
           const LoneOutcome& right, const std::string& what) {
    Tally& tally = tallies_[m.kind];
    ++tally.refused;
    const LoneOutcome outcome = warp.run(changed, false);
    if (!outcome.difference.empty()) {
      ++tally.shown;
      return;
    }
    const std::string met = warp.run(changed, true).difference;
    // A wrongly set reuse bit has no effect ("in time") unless a later read hits the additional entry of the
    // reuse cache.
    const bool in_time = m.kind == "reuse set" ? outcome.reuse_hits == right.reuse_hits : met.empty();
    const Unseen why = !right.executed.contains(static_cast<std::uint32_t>(m.instruction))
                           ? Unseen::not_executed
                       : in_time ? Unseen::in_time
                                 : Unseen::unread;
    ++tally.unseen[why];
    list_ += fmt::format("{}: seed {}, instruction {} \"{}\", {}: {}; {}\n", kReasons[static_cast<int>(why)],
                         seed, m.instruction, to_string(m.changed), m.kind, what, met);
  }

  std::size_t share_, next_ = 0;
  std::map<std::string, Tally> tallies_;
  std::string list_;
};

TEST(ModernCoreMutants, ShowInTheValuesOfALoneWarp) {
  const bool full = std::getenv("HEDDLE_FULL") != nullptr;
  Mutants mutants(full ? 1 : 120);
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) mutants.add(seed);
  int shown = 0, unread = 0;
  for (const auto& [kind, t] : mutants.tallies()) {
    fmt::print("{:14} {:5} refused, {:5} shown", kind, t.refused, t.shown);
    for (const auto& [why, count] : t.unseen) fmt::print(", {} {}", count, kReasons[static_cast<int>(why)]);
    fmt::print("\n");
    shown += t.shown;
    if (const auto found = t.unseen.find(Unseen::unread); found != t.unseen.end()) unread += found->second;
  }
  // Only mutants that change an operand or a result of the run count here.
  EXPECT_GE(shown, (full ? 0.95 : 0.85) * (shown + unread)) << mutants.list();
  EXPECT_GE(mutants.tallies().size(), 4u) << "kinds of changes";
  if (full) fmt::print("{}", mutants.list());
}

}  // namespace
}  // namespace heddle::fuzz
