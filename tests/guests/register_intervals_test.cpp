// Tests the pass register-intervals and the stage interval-file: a program of six basic blocks (expected
// intervals derived by hand), deliberate faults in programs and in copies of the stage, intervals of all
// kernels, and random programs.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "models/compiler/pipeline.h"
#include "models/compiler/register_intervals.h"
#include "models/core/register_set.h"
#include "models/ports/residency.h"
#include "models/ptx/module.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/guests/noted_program.h"
#include "tests/hierarchy/mutant_run.h"
#include "tests/regfile/stage_driver.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

using isa::Opcode;
using test::add_instruction;

// Blocks with the registers that they use: A {0,1,2} B {1,3} C {1,4} D {3,5,6} E {5,6,7} F {0,8}. Edges: A-B,
// B-C, B-D, C-B, D-E, D-F, E-F.
constexpr std::size_t kFirstOf[] = {0, 1, 3, 5, 7, 8};

isa::Program six_blocks() {
  isa::Program program = test::program_with(9, 2);
  const auto branch = [&](int target, int predicate) {
    isa::Instruction& bra = add_instruction(program, Opcode::bra, {}, {});
    bra.target = target;
    if (predicate >= 0) bra.guard = {true, false, PredId(static_cast<std::uint32_t>(predicate))};
  };
  add_instruction(program, Opcode::add, {2}, {0, 1});
  add_instruction(program, Opcode::add, {3}, {1});
  branch(5, 0);
  add_instruction(program, Opcode::add, {4}, {1});
  branch(1, -1);
  add_instruction(program, Opcode::add, {6}, {3, 5});
  branch(8, 1);
  add_instruction(program, Opcode::add, {7}, {5, 6});
  add_instruction(program, Opcode::add, {8}, {0});
  add_instruction(program, Opcode::exit, {}, {});
  return program;
}

std::string pass_of(int registers) {
  return R"({"type":"register-intervals","registers":)" + std::to_string(registers) + "}";
}

struct Walk {
  std::string intervals;  ///< blocks of each interval, such as "A BC DE F"
  int moves = 0, registers = 0;
  bool operator==(const Walk&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Walk& w) {
  return out << w.intervals << ": " << w.moves << " moves, " << w.registers << " registers";
}

// Counts intervals, moves and registers on the path A B C B C B D E F. `budget`: registers of an interval.
Walk walk_of(int budget) {
  const isa::Program program = test::after_pass(six_blocks(), pass_of(budget));
  const isa::NotedWords notes(program.notes, "register-interval");
  const auto words = [&](std::size_t block) { return notes.in(program.code[kFirstOf[block]].notes); };
  Walk walk;
  std::map<std::uint64_t, std::string> names;
  std::vector<std::uint64_t> order;
  for (std::size_t b = 0; b < std::size(kFirstOf); ++b) {
    if (names[words(b)[0]].empty()) order.push_back(words(b)[0]);
    names[words(b)[0]] += static_cast<char>('A' + b);
  }
  for (const std::uint64_t interval : order)
    walk.intervals += (walk.intervals.empty() ? "" : " ") + names[interval];
  std::uint64_t current = ~std::uint64_t{0};
  for (const char block : std::string("ABCBCBDEF")) {
    const auto now = words(static_cast<std::size_t>(block - 'A'));
    if (now[0] == current) continue;
    current = now[0];
    ++walk.moves;
    for (std::size_t w = 1; w < now.size(); ++w) walk.registers += std::popcount(now[w]);
  }
  return walk;
}

TEST(RegisterIntervals, SixBlocksByHand) {
  EXPECT_EQ(walk_of(4), (Walk{"A BC DE F", 4, 12}));
  EXPECT_EQ(walk_of(5), (Walk{"A BCD E F", 4, 13}));
  EXPECT_EQ(walk_of(6), (Walk{"A BCDE F", 3, 11}));
  EXPECT_EQ(walk_of(8), (Walk{"A BCDEF", 2, 11}));
}

TEST(RegisterIntervals, ABlockOfMoreRegistersIsSplit) {
  isa::Program program = test::program_with(40);
  for (int reg = 1; reg < 40; ++reg) add_instruction(program, Opcode::add, {reg}, {reg - 1});
  add_instruction(program, Opcode::exit, {}, {});
  program = test::after_pass(program, pass_of(8));
  const isa::NotedWords notes(program.notes, "register-interval");
  std::set<std::uint64_t> numbers;
  for (const isa::Instruction& i : program.code) numbers.insert(notes.in(i.notes)[0]);
  EXPECT_EQ(numbers.size(), 6u);
}

TEST(RegisterIntervals, ABudgetBelowAnInstructionsRegistersIsAnError) {
  isa::Program program = test::program_with(8);
  add_instruction(program, Opcode::mad, {0}, {2, 3, 4}).dst[0].bits = 64;
  add_instruction(program, Opcode::exit, {}, {});
  try {
    test::after_pass(program, pass_of(4));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("has 5 registers, an interval 4"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("registers of at least 5"), std::string::npos) << e.what();
  }
}

using Sabotage = std::function<void(isa::Program&)>;

// Applies `change` to the words of the compiler note `name` at instruction `n`.
void renote(isa::Program& program, std::size_t n, const std::string& name,
            const std::function<void(std::vector<std::uint64_t>&)>& change) {
  for (const isa::Note& note : program.notes.of(program.code[n].notes)) {
    if (note.name != name) continue;
    isa::Note other = note;
    change(other.words);
    program.code[n].notes = program.notes.with(program.code[n].notes, other);
    return;
  }
}

// Fault: removes one written register from the register set of every interval.
void shorten_sets(isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); ++n)
    for (const isa::Operand& o : program.code[n].destinations())
      if (o.is_reg())
        return [&] {
          for (std::size_t m = 0; m < program.code.size(); ++m)
            renote(program, m, "register-interval", [&](std::vector<std::uint64_t>& words) {
              words[1 + o.reg.value / 64] &= ~(std::uint64_t{1} << o.reg.value % 64);
            });
        }();
}

// Fault: gives all instructions the number of the first interval. At the beginning of a branch's side, no
// registers are then moved.
void join_sides(isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); ++n)
    renote(program, n, "register-interval", [](std::vector<std::uint64_t>& words) { words[0] = 0; });
}

void forget_live(isa::Program& program) {
  for (std::size_t n = 0; n < program.code.size(); ++n)
    renote(program, n, "interval-live", [](std::vector<std::uint64_t>& words) { words.assign(4, 0); });
}

TEST(RegisterIntervals, FaultsOfAProgramAreFound) {
  const std::pair<Sabotage, const char*> cases[] = {
      {shorten_sets, "lacks a register"},
      {join_sides, "has another set of registers"},
      {forget_live, "lacks a register that a lane still reads"},
      {[](isa::Program& p) { p.code[7].notes = 0; }, "is in no interval"},
      {[](isa::Program& p) { p.code[7].notes = p.code[1].notes; }, "lacks a register"},
      {[](isa::Program& p) {
         const isa::NotedWords notes(p.notes, "register-interval");
         const auto first = notes.in(p.code[0].notes);
         renote(p, 9, "register-interval", [&](auto& words) { words.assign(first.begin(), first.end()); });
       },
       "is a second entry"},
      {[](isa::Program& p) {
         for (std::size_t n = 0; n < p.code.size(); ++n)
           renote(p, n, "register-interval", [](auto& words) { words[1] = 0x1ff; });
       },
       "has 9 registers of 4"}};
  for (const auto& [sabotage, what] : cases) {
    isa::Program program = test::after_pass(six_blocks(), pass_of(4));
    EXPECT_FALSE(compiler::find_interval_fault(program));
    sabotage(program);
    const auto fault = compiler::find_interval_fault(program);
    ASSERT_TRUE(fault) << what;
    EXPECT_NE(fault->what.find(what), std::string::npos) << fault->what << ", not " << what;
  }
}

TEST(RegisterIntervals, IntervalsOfAllKernelsAreProved) {
  for (const std::string& kernel : testing_support::kernels()) {
    const auto module = ptx::parse_module_file((testing_support::kKernels / kernel / "kernel.ptx").string());
    for (const auto& entry : module->kernels())
      for (const int registers : {24, 48}) {
        compiler::CompilerParameters parameters;
        parameters.passes.push_back(parse_config_text(pass_of(registers), "test"));
        const isa::Program program = compiler::compile(ptx::lower_kernel(*module, entry.mangled), parameters);
        EXPECT_FALSE(compiler::find_interval_fault(program)) << kernel;
      }
  }
}

// A loop that contains a branch. The two sides of the branch are in different register intervals of at most 6
// registers. Values live across the intervals, and the result of a load arrives after the warp has left the
// load's interval.
const std::string kLoop = R"(
mul.lo.u32 %r1, %r0, 3; mul.lo.u32 %r2, %r0, 5; mul.lo.u32 %r3, %r0, 7; mul.lo.u32 %r4, %r0, 11;
mul.lo.u32 %r5, %r0, 13; mul.lo.u32 %r6, %r0, 17; mov.u32 %r7, 0; mov.u32 %r8, 0;
LOOP:
ld.global.u32 %r9, [%rd1];
and.b32 %r10, %r0, 1; setp.eq.u32 %p0, %r10, 0;
@%p0 bra EVEN;
add.u32 %r1, %r1, %r2; xor.b32 %r7, %r7, %r1; add.u32 %r3, %r3, %r1; xor.b32 %r2, %r3, %r7;
bra MEET;
EVEN:
add.u32 %r4, %r4, %r5; xor.b32 %r7, %r7, %r4; add.u32 %r6, %r6, %r4; xor.b32 %r5, %r6, %r7;
MEET:
add.u32 %r7, %r7, %r9; add.u32 %r8, %r8, 1;
setp.lt.u32 %p1, %r8, 6;
@%p1 bra LOOP;
add.u32 %r30, %r7, %r1; xor.b32 %r30, %r30, %r2; add.u32 %r30, %r30, %r3; xor.b32 %r30, %r30, %r4;
add.u32 %r30, %r30, %r5; xor.b32 %r30, %r30, %r6;
)";

std::string outcome(const std::string& stage, const Sabotage& sabotage = {}, const std::string& more = "") {
  fuzz::Coverage coverage;
  return fuzz::run_case(
      hierarchy::case_on(hierarchy::program_of(kLoop, 2), "fermi-gtx480",
                         {R"(gpu.sm.register_file.stages=[{"type":")" + stage + R"(","registers":6)" + more +
                              R"(},"banks"])",
                          R"(gpu.sm.register_file.banks.partition.kind="all-slow")",
                          "gpu.sm.register_file.banks.partition.slow_cycles=5", "compiler.verify=false",
                          R"(compiler.passes=[{"type":"register-intervals","registers":6}])"}),
      coverage, sabotage);
}

TEST(RegisterIntervals, FaultsOfAProgramShowInItsValues) {
  EXPECT_EQ(outcome("interval-file"), "");
  EXPECT_NE(outcome("interval-file", shorten_sets).find("which its interval has not loaded"),
            std::string::npos);
  EXPECT_NE(outcome("interval-file", join_sides).find("which its interval has not loaded"),
            std::string::npos);
  EXPECT_TRUE(hierarchy::is_of_values(outcome("interval-file", forget_live)));
}

struct OneNext final : WarpHost {
  std::uint32_t pc = 0;
  WarpSet running() const override { return {}; }
  bool at_barrier(WarpId) const override { return false; }
  bool quiet(WarpId) const override { return true; }
  bool executed(WarpId) const override { return true; }
  std::optional<std::uint32_t> next(WarpId warp, std::size_t after) const override {
    if (warp.value != 0 || after != 0) return std::nullopt;
    return pc;
  }
  void switch_out(WarpId) override {}
  void switch_in(WarpId) override {}
  void execute(WarpId, std::span<const std::uint32_t>) override {}
  void release(WarpId, std::uint32_t) override {}
  void wake() override {}
};

// Writes a result of 16 lanes to a register while the old value of this register is on its way from the
// banks. Then reads the register, and returns the values of lanes 3 and 20.
std::pair<std::uint32_t, std::uint32_t> filled(const std::string& stage) {
  const testing_support::Simulation simulation;
  isa::Program program = test::program_with(8);
  add_instruction(program, Opcode::add, {2}, {1});
  add_instruction(program, Opcode::exit, {}, {});
  program = test::after_pass(program, pass_of(4));
  StageRig rig({R"({"type":")" + stage + R"(","registers":4})"}, R"({"ports": "1r1w", "latency_cycles": 4})");
  OneNext host;
  WarpHold& hold = *rig.stage(0).hold();
  hold.connect(host);
  rig.write(20, 0, 1, 11);
  rig.script().call(40, [&] {
    KernelBegins kernel;
    kernel.program = &program;
    rig.stage(0).kernel_begins(kernel);
    WarpBegins warp;
    warp.warp = WarpId(0);
    rig.stage(0).warp_begins(warp);
  });
  for (Cycle at = 50; at < 80; ++at)
    rig.script().call(at, [&, at] {
      hold.step(at, {}, WarpSet::all());
      if (at < 54 || at > 65) EXPECT_EQ(hold.held().contains(WarpId(0)), at < 60) << at;
    });
  rig.write(53, 0, 1, 22, 0xffff);
  auto& line = rig.read(85, 0, 1);
  line.access.instruction = program.code.data();
  rig.run();
  return {line.lane(3), line.lane(20)};
}

TEST(RegisterIntervals, AFillDoesNotReplaceAYoungerResult) {
  EXPECT_EQ(filled("interval-file"), std::pair(22u, 11u));
  EXPECT_EQ(filled("mutant-fills-over-youngers"), std::pair(11u, 11u));
}

TEST(RegisterIntervals, FaultsOfTheStageAreNoticed) {
  for (const char* more : {"", R"(,"flush_on_deschedule":false)"})
    EXPECT_EQ(outcome("interval-file", {}, more), "") << more;
  EXPECT_NE(outcome("mutant-holds-another-warp").find("which its interval has not loaded"),
            std::string::npos);
  EXPECT_TRUE(hierarchy::is_of_values(outcome("mutant-loses-dirty")));
}

// HEDDLE_FULL runs twice as many programs.
std::string first_failure(const std::string& stage, const std::string& pass, std::uint64_t programs) {
  if (std::getenv("HEDDLE_FULL")) programs *= 2;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    fuzz::FuzzCase fuzz = fuzz::make_case(seed);
    for (const std::string& set :
         {"gpu.sm.register_file.stages=[" + stage + ",\"banks\"]",
          std::string("gpu.sm.register_file.architected_entries=0"),
          std::string("gpu.sm.register_file.banks.count=16"),
          std::string("gpu.sm.register_file.banks.entries=64"),
          std::string("gpu.sm.register_file.banks.uneven_entries=[]"),
          std::string(R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated"])"),
          "compiler.passes=[" + pass + "]"})
      fuzz.setting.sets.push_back(set);
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(fuzz, coverage);
    if (!failure.empty()) return "seed " + std::to_string(seed) + ": " + failure;
  }
  return {};
}

TEST(RegisterIntervals, RandomProgramsKeepTheirValues) {
  EXPECT_EQ(first_failure(R"({"type":"interval-file","registers":16})", pass_of(16), 6), "");
  EXPECT_EQ(
      first_failure(R"({"type":"interval-file","registers":8,"flush_on_deschedule":false})", pass_of(8), 6),
      "");
  EXPECT_EQ(first_failure(R"("operand-window",{"type":"interval-file","registers":12})", pass_of(12), 4), "");
}

}  // namespace
}  // namespace heddle
