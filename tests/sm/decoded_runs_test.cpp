// Tests buffers that store decoded instructions as runs of consecutive instructions, and the pool of records
// of issued instructions.

#include "models/sm/decoded_runs.h"

#include <gtest/gtest.h>

#include "models/ports/in_flight_pool.h"

namespace heddle {
namespace {

TEST(DecodedRunsTest, GivesOutInstructionsOneByOneInOrder) {
  DecodedRuns runs(4);
  EXPECT_TRUE(runs.add({7, 1, 10, 5, 3}));
  EXPECT_FALSE(runs.add({20, 1, 11, 0, 2})) << "there is one place left";
  EXPECT_TRUE(runs.add({20, 1, 11, 0, 1}));
  EXPECT_EQ(runs.size(), 4u);
  EXPECT_FALSE(runs.can_issue(9));
  EXPECT_TRUE(runs.can_issue(10, 2));
  EXPECT_FALSE(runs.can_issue(10, 3)) << "it comes a cycle later";
  EXPECT_FALSE(runs.can_issue(11, 4));
  std::vector<std::uint32_t> pcs;
  for (std::size_t i = 0; i < 4; ++i) pcs.push_back(runs.peek(i).pc);
  EXPECT_EQ(pcs, (std::vector<std::uint32_t>{7, 8, 9, 20}));
  EXPECT_EQ(runs.peek(2).attached, 5u);
  for (const std::uint32_t pc : pcs) EXPECT_EQ(runs.pop().pc, pc);
  EXPECT_TRUE(runs.empty());
}

TEST(DecodedRunsTest, RoundTheEndOfItsRoom) {
  DecodedRuns runs(3);
  for (std::uint32_t pc = 0; pc < 50; pc += 2) {
    EXPECT_TRUE(runs.add({pc, 1, 1, 0, 2}));
    EXPECT_TRUE(runs.add({pc + 100, 1, 1}));
    EXPECT_EQ(runs.peek(2).pc, pc + 100);
    EXPECT_EQ(runs.pop().pc, pc);
    EXPECT_EQ(runs.pop().pc, pc + 1);
    EXPECT_EQ(runs.pop().pc, pc + 100);
  }
  runs.add({1, 1, 1});
  runs.reset();
  EXPECT_TRUE(runs.empty());
}

isa::Program program_with(std::vector<isa::Operand> sources, isa::Operand destination) {
  isa::Program program;
  isa::Instruction& add = program.code.emplace_back();
  for (const isa::Operand& source : sources) add.src[add.num_src++] = source;
  add.dst[add.num_dst++] = destination;
  program.registers = 16;
  return program;
}

// The pointers to operands in a record are set once. An instruction with a different number of operands must
// therefore get another record.
TEST(InFlightPoolTest, RecordsOfOneShapeAloneAreTakenAgain) {
  using isa::Operand;
  const auto reg = [](std::uint32_t r, int bits = 32) { return Operand::make_reg(RegId(r), bits); };
  const isa::Program wide = program_with({reg(2, 64), reg(4)}, reg(6));
  const isa::Program narrow = program_with({reg(2), reg(4)}, reg(6));
  const isa::Program constant = program_with({reg(2), Operand::make_immediate(1, 32)}, reg(6));
  const isa::Program renamed = program_with({reg(8), reg(9)}, reg(10));
  InFlightPool pool;
  std::vector<InstructionFootprint> footprints;
  const auto take = [&](const isa::Program& program) {
    footprints = footprints_of(program);
    pool.begin(footprints);
    InFlight* item = pool.take(0);
    pool.give_back(item);
    return item;
  };
  InFlight* const of_wide = take(wide);
  EXPECT_EQ(of_wide->operands.src[0][1], of_wide->operands.src[0][0] + 1);
  InFlight* const of_narrow = take(narrow);
  EXPECT_NE(of_narrow, of_wide);
  EXPECT_EQ(of_narrow->operands.src[0][1], nullptr);
  EXPECT_NE(take(constant), of_narrow);
  EXPECT_EQ(take(renamed), of_narrow) << "which registers they are makes no difference";
  EXPECT_EQ(pool.outstanding(), 0u);
}

}  // namespace
}  // namespace heddle
