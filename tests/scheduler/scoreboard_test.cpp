// Tests how the scoreboard detects hazards between a warp's next instruction and its instructions in flight.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "models/core/error.h"
#include "models/scheduler/scoreboard.h"

namespace heddle {
namespace {

using isa::Instruction;
using isa::Operand;

Instruction add(std::uint32_t d, std::uint32_t a, std::uint32_t b, int bits = 32) {
  Instruction i;
  i.op = isa::Opcode::add;
  i.type = bits == 64 ? isa::DataType::u64 : isa::DataType::u32;
  i.add_dst(Operand::make_reg(RegId(d), bits));
  i.add_src(Operand::make_reg(RegId(a), bits));
  i.add_src(Operand::make_reg(RegId(b), bits));
  isa::classify(i);
  return i;
}

Instruction load(std::uint32_t d, std::uint32_t address, isa::Space space) {
  Instruction i;
  i.op = isa::Opcode::ld;
  i.type = isa::DataType::u32;
  i.memory.space = space;
  i.add_dst(Operand::make_reg(RegId(d), 32));
  i.add_src(Operand::make_reg(RegId(address), 64));
  isa::classify(i);
  return i;
}

struct Footprints {
  explicit Footprints(std::vector<Instruction> code) {
    program.code = std::move(code);
    program.registers = 250;
    program.predicates = 8;
    all = footprints_of(program);
  }
  isa::Program program;
  std::vector<InstructionFootprint> all;
};

TEST(Scoreboard, WarWaitsForAllThatRead) {
  const Footprints f({add(1, 9, 9), add(2, 9, 3), add(4, 9, 5), add(9, 6, 7)});
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    Scoreboard board;
    for (const std::size_t i : {0, 1, 2}) board.issue(f.all[i]);
    board.hold(9);
    for (const std::size_t i : order) {
      EXPECT_NE(board.hazards(f.all[3]).reads, 0u);
      board.reads_done(f.all[i]);
    }
    EXPECT_NE(board.hazards(f.all[3]).reads, 0u) << "held";
    board.end_hold(9);
    EXPECT_EQ(board.hazards(f.all[3]).reads, 0u);
    for (const std::size_t i : {0, 1, 2}) board.results_done(f.all[i]);
    EXPECT_FALSE(board.any_pending());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Scoreboard, RawAndWawWaitForTheResult) {
  const Footprints f({add(1, 2, 3), add(4, 1, 5), add(1, 6, 7), add(8, 9, 10)});
  Scoreboard board;
  board.issue(f.all[0]);
  EXPECT_TRUE(board.hazard(f.all[1])) << "reads r1";
  EXPECT_TRUE(board.hazard(f.all[2])) << "writes r1";
  EXPECT_FALSE(board.hazard(f.all[3]));
  board.reads_done(f.all[0]);
  EXPECT_TRUE(board.hazard(f.all[1]));
  board.results_done(f.all[0]);
  EXPECT_FALSE(board.hazard(f.all[1]));
  EXPECT_FALSE(board.hazard(f.all[2]));
}

TEST(Scoreboard, PendingReadsHoldWritersBack) {
  const Footprints f({add(1, 2, 2), add(3, 2, 4), add(2, 5, 6)});
  Scoreboard board;
  board.issue(f.all[0]);
  board.issue(f.all[1]);
  EXPECT_TRUE(board.hazard(f.all[2])) << "two instructions still read r2";
  board.reads_done(f.all[0]);
  EXPECT_TRUE(board.hazard(f.all[2])) << "one of them, three slots in all";
  board.reads_done(f.all[1]);
  EXPECT_FALSE(board.hazard(f.all[2]));
}

TEST(Scoreboard, PendingReadsAreThoseOfAllInstructionsInFlight) {
  std::vector<Instruction> code;
  for (std::uint32_t i = 0; i < 24; ++i) code.push_back(add(i % 5, 3 + i * 7 % 11, 70 + i * 5 % 9));
  for (std::uint32_t r = 0; r < 100; ++r) code.push_back(add(r, 200, 201));
  const Footprints f(std::move(code));
  std::mt19937 random(3);
  Scoreboard board;
  std::vector<std::size_t> in_flight;
  std::array<int, 256> readers{};
  for (int step = 0; step < 3000; ++step) {
    if (in_flight.size() < 40 && random() % 2) {
      in_flight.push_back(random() % 24);
      board.issue(f.all[in_flight.back()]);
      for (const OperandWord& word : f.all[in_flight.back()].reads_in_order()) ++readers[word.reg];
    } else if (!in_flight.empty()) {
      std::swap(in_flight[random() % in_flight.size()], in_flight.back());
      board.reads_done(f.all[in_flight.back()]);
      for (const OperandWord& word : f.all[in_flight.back()].reads_in_order()) --readers[word.reg];
      in_flight.pop_back();
    }
    for (std::size_t r = 5; r < 100; ++r)
      ASSERT_EQ(board.hazards(f.all[24 + r]).reads != 0, readers[r] != 0) << "r" << r << ", step " << step;
  }
}

TEST(Scoreboard, PairsCoverBothWords) {
  const Footprints f({add(10, 20, 30, 64), add(40, 11, 41), add(21, 42, 43), add(12, 22, 32)});
  Scoreboard board;
  board.issue(f.all[0]);
  EXPECT_TRUE(board.hazard(f.all[1]));
  EXPECT_TRUE(board.hazard(f.all[2]));
  EXPECT_FALSE(board.hazard(f.all[3]));
  EXPECT_EQ(f.all[0].read_words, 4);
  EXPECT_EQ(f.all[0].write_words, 2);
  EXPECT_EQ(f.all[0].pair_words, 6);
}

TEST(Scoreboard, HighRegistersAndPredicates) {
  Instruction setp = add(0, 200, 240);
  setp.op = isa::Opcode::setp;
  setp.num_dst = 0;
  setp.add_dst(Operand::make_pred(PredId(7)));
  Instruction guarded = add(241, 1, 2), other = add(3, 4, 5);
  guarded.guard = {true, false, PredId(7)};
  other.guard = {true, false, PredId(6)};
  const Footprints f({setp, guarded, other, add(240, 6, 7)});
  Scoreboard board;
  board.issue(f.all[0]);
  EXPECT_TRUE(board.hazard(f.all[1]));
  EXPECT_FALSE(board.hazard(f.all[2]));
  EXPECT_TRUE(board.hazard(f.all[3]));
  EXPECT_TRUE(depends(f.all[1], f.all[0]));
  EXPECT_FALSE(depends(f.all[2], f.all[0]));
  board.reads_done(f.all[0]);
  board.results_done(f.all[0]);
  EXPECT_FALSE(board.hazard(f.all[1]));
}

TEST(Scoreboard, LongHazardsAreThoseOnMemoryResults) {
  const Footprints f({load(1, 10, isa::Space::global), load(2, 12, isa::Space::shared), add(3, 4, 5),
                      add(6, 1, 4), add(7, 2, 4), add(8, 3, 4)});
  Scoreboard board;
  for (const std::size_t i : {0u, 1u, 2u}) board.issue(f.all[i]);
  for (const std::size_t i : {3u, 4u, 5u}) EXPECT_TRUE(board.hazard(f.all[i]));
  EXPECT_NE(board.hazards(f.all[3]).long_results, 0u);
  EXPECT_EQ(board.hazards(f.all[4]).long_results, 0u);
  EXPECT_EQ(board.hazards(f.all[5]).long_results, 0u);
}

TEST(Footprints, MetadataExecutesAsTheFirstInstructionBehindIt) {
  isa::Program program;
  program.code.resize(5);
  for (const std::size_t pc : {0u, 2u, 3u}) program.code[pc].metadata = true;
  const std::vector<InstructionFootprint> all = footprints_of(program);
  ASSERT_EQ(all.size(), 6u);
  const std::uint32_t expected[] = {1, 1, 4, 4, 4, 5};
  for (std::size_t pc = 0; pc < all.size(); ++pc) EXPECT_EQ(all[pc].executes, expected[pc]) << pc;
}

TEST(Scoreboard, RefusesWhatItCannotHold) {
  isa::Program program;
  program.registers = 256;
  EXPECT_THROW(footprints_of(program), Error);
  program.registers = 255;
  program.predicates = 65;
  EXPECT_THROW(footprints_of(program), Error);
}

}  // namespace
}  // namespace heddle
