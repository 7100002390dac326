// Tests the stage operand-window and the pass window-hints: the window of eight instructions (expected counts
// derived by hand), faults in copies of the stage, the hints of all kernels, and random programs.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "models/compiler/pipeline.h"
#include "models/compiler/window_hints.h"
#include "models/core/registry.h"
#include "models/ptx/module.h"
#include "tests/fuzz/fuzz_run.h"
#include "tests/guests/noted_program.h"
#include "tests/regfile/stage_driver.h"
#include "tests/support/kernel_list.h"
#include "tests/support/simulation.h"

namespace heddle {
namespace {

using isa::Opcode;
using test::add_instruction;

// Sends the accesses of a program's instructions to a register path, in the same order as collectors and
// result bus do. For each instruction, it sends first the announcement, then the reads, then the results.
// Each instruction begins 10 cycles after the previous one.
class Sender {
 public:
  Sender(const std::string& stage, const isa::Program& program,
         const std::string& banks = R"({"ports": "1r1w"})")
      : program_(program), footprints_(footprints_of(program)), rig_({stage}, banks) {
    KernelBegins kernel;
    kernel.program = &program_;
    rig_.stage(0).kernel_begins(kernel);
    context_.warp = WarpId(0);
  }

  StageRig& rig() { return rig_; }
  Cycle now() const { return now_; }
  void pause(Cycle cycles) { now_ += cycles; }

  /// Sends one instruction. `result_after`: cycles from the instruction's announcement to its results.
  void send(std::size_t pc, std::uint32_t value = 0, LaneMask mask = kAllLanes, Cycle result_after = 5) {
    const InstructionFootprint& footprint = footprints_[pc];
    RegisterPrepare& prepare = prepares_.emplace_back();
    prepare.uid = ++uid_;
    prepare.sources = footprint.read_words;
    prepare.destinations = footprint.write_words;
    std::size_t n = 0;
    for (const OperandWord& word : footprint.reads_in_order())
      prepare.words[n++] = {RegId(word.reg), RegId(word.reg), {}, &word};
    for (const OperandWord& word : footprint.writes_in_order())
      prepare.words[n++] = {RegId(word.reg), RegId(word.reg), {}, &word};
    own(rig_.script().at(now_, RegisterCommand::prepare, 0, 0), pc).prepare = &prepare;
    for (const OperandWord& word : footprint.reads_in_order()) {
      auto& line = rig_.script().at(now_, RegisterCommand::read, 0, word.reg, 0, mask);
      own(line, pc).operand = &word;
      reads.push_back(&line);
    }
    InFlight& item = items_.emplace_back();
    item.context = &context_;
    item.footprint = &footprint;
    item.uid = uid_;
    rig_.script().call(now_ + 4, [this, &item] { rig_.stage(0).reads_held(item); });
    for (const OperandWord& word : footprint.writes_in_order())
      own(rig_.script().at(now_ + result_after, RegisterCommand::write, 0, word.reg, value, mask), pc)
          .operand = &word;
    now_ += 10;
  }

  std::vector<StageDriver::Line*> reads;

 private:
  RegisterAccess& own(StageDriver::Line& line, std::size_t pc) {
    line.access.instruction = &program_.code[pc];
    return line.access;
  }

  isa::Program program_;
  std::vector<InstructionFootprint> footprints_;
  StageRig rig_;
  WarpContext context_;
  std::deque<RegisterPrepare> prepares_;
  std::deque<InFlight> items_;
  std::uint64_t uid_ = 0;
  Cycle now_ = 100;
};

constexpr std::size_t kOwn = 8;

// Returns eight instructions, followed by eight instructions without registers. While these execute, all
// entries leave the window.
isa::Program eight_instructions() {
  isa::Program program = test::program_with(7);
  add_instruction(program, Opcode::mov, {1}, {}).add_src(isa::Operand::make_immediate(1, 32));
  add_instruction(program, Opcode::add, {2}, {1});
  add_instruction(program, Opcode::mul, {3}, {2, 1});
  add_instruction(program, Opcode::add, {2}, {3, 4});
  add_instruction(program, Opcode::sub, {5}, {2, 4});
  add_instruction(program, Opcode::add, {6}, {5});
  add_instruction(program, Opcode::add, {1}, {1, 2});
  add_instruction(program, Opcode::max, {}, {5, 1});
  for (std::size_t n = 0; n < kOwn; ++n)
    add_instruction(program, Opcode::max, {}, {}).add_src(isa::Operand::make_immediate(1, 32));
  add_instruction(program, Opcode::exit, {}, {});
  return program;
}

struct Counts {
  std::uint64_t hits = 0, below = 0, dropped = 0;
  bool operator==(const Counts&) const = default;
};

Counts window_of(const std::string& stage, const std::string& settings, const std::string& pass) {
  const testing_support::Simulation simulation;
  const isa::Program program =
      pass.empty() ? eight_instructions() : test::after_pass(eight_instructions(), pass);
  Sender sender(R"({"type":")" + stage + "\"," + settings + "}", program);
  for (std::size_t pc = 0; pc < 2 * kOwn; ++pc) sender.send(pc);
  sender.rig().run();
  std::string owner = stage;
  std::replace(owner.begin(), owner.end(), '-', '_');
  const auto count = [&](const char* name) { return sender.rig().count(owner + "." + name); };
  return {count("read_hits"), count("writebacks") + count("through_writes") + count("late_writes"),
          count("dropped_writes")};
}

const std::string kHints = R"(,"hints":"window")";
std::string hints_for(const std::string& window) { return R"({"type":"window-hints",)" + window + "}"; }

std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << c.hits << " hits, " << c.below << " below, " << c.dropped << " dropped";
}

TEST(OperandWindow, EightInstructionsByHand) {
  const std::string three = R"("instructions":3)", two = R"("instructions":2)",
                    came = R"("instructions":3,"extends":false)";
  EXPECT_EQ(window_of("operand-window", three + R"(,"write_back":false)", ""), (Counts{10, 7, 0}));
  EXPECT_EQ(window_of("operand-window", three, ""), (Counts{10, 6, 0}));
  EXPECT_EQ(window_of("operand-window", three + kHints, hints_for(three)), (Counts{10, 1, 5}));
  EXPECT_EQ(window_of("operand-window", two + kHints, hints_for(two)), (Counts{8, 3, 3}));
  EXPECT_EQ(window_of("operand-window", came + kHints, hints_for(came)), (Counts{8, 3, 3}));
}

// Two faulty copies of the stage let values leave the window one instruction too early or too late. The
// counts of their accesses must differ from those of the stage.
TEST(OperandWindow, AgesThatAreOffByOneAreNoticed) {
  const std::string three = R"("instructions":3)";
  const Counts right = window_of("operand-window", three + kHints, hints_for(three));
  EXPECT_NE(window_of("mutant-leaves-early", three + kHints, hints_for(three)), right);
  const std::string two = R"("instructions":2)";
  EXPECT_NE(window_of("mutant-leaves-late", two + kHints, hints_for(two)),
            window_of("operand-window", two + kHints, hints_for(two)));
}

// Returns true if the stage writes a value to the banks when the value leaves the window early, because all
// entries are taken. The stage must do so despite a hint that no later instruction reads the value: the hint
// is valid only for values that leave by age.
bool keeps_what_leaves_early(const std::string& stage) {
  const testing_support::Simulation simulation;
  isa::Program program = test::program_with(12);
  for (int reg = 1; reg <= 6; ++reg) add_instruction(program, Opcode::add, {reg}, {0});
  add_instruction(program, Opcode::add, {7}, {1});
  add_instruction(program, Opcode::exit, {}, {});
  program = test::after_pass(program, R"({"type":"window-hints","instructions":8})");
  Sender sender(R"({"type":")" + stage + R"(","instructions":8,"entries":4,"hints":"window"})", program);
  for (std::size_t pc = 0; pc < 7; ++pc) sender.send(pc, 40 + static_cast<std::uint32_t>(pc));
  sender.rig().run();
  return sender.reads.back()->lane(3) == 40;
}

TEST(OperandWindow, AnEarlyLeaveIsWrittenWhateverTheHint) {
  EXPECT_TRUE(keeps_what_leaves_early("operand-window"));
  EXPECT_FALSE(keeps_what_leaves_early("mutant-obeys-at-early-leave"));
}

// Returns true if the stage keeps the newer of two values of a register: an old value is on its way from the
// banks when a newer result arrives.
bool keeps_the_younger(const std::string& stage) {
  const testing_support::Simulation simulation;
  isa::Program program = test::program_with(8);
  add_instruction(program, Opcode::add, {2}, {1});
  add_instruction(program, Opcode::add, {1}, {3});
  add_instruction(program, Opcode::add, {4}, {1});
  add_instruction(program, Opcode::exit, {}, {});
  Sender sender("\"" + stage + "\"", program, R"({"ports": "1r1w", "latency_cycles": 4})");
  sender.rig().write(20, 0, 1, 11);
  sender.pause(30);
  sender.send(0);
  sender.rig().write(sender.now() - 9, 0, 1, 22);
  sender.pause(20);
  sender.send(2);
  sender.rig().run();
  return sender.reads.back()->lane(5) == 22;
}

TEST(OperandWindow, AFillDoesNotReplaceAYoungerResult) {
  EXPECT_TRUE(keeps_the_younger("operand-window"));
  EXPECT_FALSE(keeps_the_younger("mutant-fills-over-results"));
}

// Returns true if a read gets 16 lanes from the window and the other 16 lanes from the banks.
bool merges_lanes(const std::string& stage) {
  const testing_support::Simulation simulation;
  isa::Program program = test::program_with(8);
  add_instruction(program, Opcode::add, {1}, {3});
  add_instruction(program, Opcode::add, {4}, {1});
  add_instruction(program, Opcode::exit, {}, {});
  Sender sender("\"" + stage + "\"", program);
  sender.rig().write(20, 0, 1, 11);
  sender.send(0, 22, 0xffff);
  sender.send(1);
  sender.rig().run();
  return sender.reads.back()->lane(3) == 22 && sender.reads.back()->lane(20) == 11;
}

TEST(OperandWindow, APartialHitReadsAllLanes) {
  EXPECT_TRUE(merges_lanes("operand-window"));
  EXPECT_FALSE(merges_lanes("mutant-drops-lanes"));
}

bool ends_with_its_warp(const std::string& stage) {
  const testing_support::Simulation simulation;
  isa::Program program = test::program_with(8);
  add_instruction(program, Opcode::add, {1}, {3});
  add_instruction(program, Opcode::add, {4}, {1});
  add_instruction(program, Opcode::exit, {}, {});
  Sender sender("\"" + stage + "\"", program);
  sender.send(0, 22);
  sender.pause(20);
  sender.rig().script().call(sender.now(), [&] { sender.rig().end_warp(0); });
  sender.rig().script().call(sender.now() + 5, [&] { sender.rig().place_warp(0); });
  sender.pause(10);
  sender.send(1);
  sender.rig().run();
  return sender.reads.back()->lane(3) != 22;
}

TEST(OperandWindow, AWindowEndsWithItsWarp) {
  EXPECT_TRUE(ends_with_its_warp("operand-window"));
  EXPECT_FALSE(ends_with_its_warp("mutant-outlives-its-warp"));
}

std::uint64_t late_results(const std::string& stage, const std::string& owner) {
  const testing_support::Simulation simulation;
  isa::Program program = eight_instructions();
  Sender sender("\"" + stage + "\"", program);
  sender.send(0, 22, kAllLanes, 60);
  for (std::size_t pc = kOwn; pc < kOwn + 4; ++pc) sender.send(pc);
  sender.rig().run();
  return sender.rig().count(owner + ".late_writes");
}

TEST(OperandWindow, AResultWhoseRegisterHasLeftIsWrittenBelow) {
  EXPECT_EQ(late_results("operand-window", "operand_window"), 1u);
  EXPECT_EQ(late_results("mutant-keeps-late-results", "mutant_keeps_late_results"), 0u);
}

// The checker find_window_fault must find no fault in the hints of any kernel, for several sizes of the
// window.
TEST(OperandWindow, HintsOfAllKernelsAreProved) {
  for (const std::string& kernel : testing_support::kernels()) {
    const auto module = ptx::parse_module_file((testing_support::kKernels / kernel / "kernel.ptx").string());
    for (const auto& entry : module->kernels())
      for (const char* window :
           {R"("instructions":3)", R"("instructions":16)", R"("instructions":2,"extends":false)"}) {
        compiler::CompilerParameters parameters;
        parameters.passes.push_back(parse_config_text(hints_for(window), "test"));
        const isa::Program program = compiler::compile(ptx::lower_kernel(*module, entry.mangled), parameters);
        EXPECT_FALSE(compiler::find_window_fault(program)) << kernel;
      }
  }
}

TEST(OperandWindow, WrongHintsAreFound) {
  isa::Program program = test::after_pass(eight_instructions(), hints_for(R"("instructions":3)"));
  EXPECT_FALSE(compiler::find_window_fault(program));
  isa::Operand& result = program.code[0].dst[0];
  EXPECT_EQ(result.notes, 0u);
  result.notes = program.notes.with(0, {"window-hint", {1}});
  const auto fault = compiler::find_window_fault(program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->instruction, 5u);
  EXPECT_NE(fault->what.find("register 1 has left the window"), std::string::npos) << fault->what;
}

std::string first_failure(const std::string& stage, const std::string& passes, std::uint64_t programs) {
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    fuzz::FuzzCase fuzz = fuzz::make_case(seed);
    fuzz.setting.sets.push_back("gpu.sm.register_file.stages=[" + stage + ",\"banks\"]");
    for (const char* reset :
         {"gpu.sm.register_file.architected_entries=0", "gpu.sm.register_file.banks.count=16",
          "gpu.sm.register_file.banks.entries=64", "gpu.sm.register_file.banks.uneven_entries=[]",
          R"(gpu.sm.constraints=["scoreboard","collector-free","unit-gated"])"})
      fuzz.setting.sets.push_back(reset);
    fuzz.setting.sets.push_back("compiler.passes=[" + passes + "]");
    fuzz::Coverage coverage;
    const std::string failure = fuzz::run_case(fuzz, coverage);
    if (!failure.empty()) return "seed " + std::to_string(seed) + ": " + failure;
  }
  return {};
}

TEST(OperandWindow, RandomProgramsKeepTheirValues) {
  const std::string three = R"("instructions":3)", eight = R"("instructions":8)";
  EXPECT_EQ(first_failure(R"({"type":"operand-window",)" + three + kHints + "}", hints_for(three), 16), "");
  EXPECT_EQ(
      first_failure(R"({"type":"operand-window","entries":4,)" + eight + kHints + "}", hints_for(eight), 8),
      "");
  EXPECT_EQ(
      first_failure(R"({"type":"operand-window","entries":4,"write_back":false,"flush_on_deschedule":true})",
                    "", 8),
      "");
}

}  // namespace
}  // namespace heddle
