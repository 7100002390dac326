// Tests the class MachineReads. It records the values that a timed launch reads from its machine, such as
// clocks, so that the untimed reference can use the same values.

#include "models/isa/machine_reads.h"

#include <gtest/gtest.h>

namespace heddle::isa {
namespace {

Instruction read_at(std::uint32_t line) {
  Instruction i;
  i.op = Opcode::mov;
  i.add_dst(Operand::make_reg(RegId(0), 32));
  i.add_src(Operand::make_special(SpecialRegister::clock, 32));
  i.location.ptx_line = line;
  return i;
}

Program program_of(std::initializer_list<std::uint32_t> lines) {
  Program program;
  for (const std::uint32_t line : lines) program.code.push_back(read_at(line));
  return program;
}

constexpr auto kClock = SpecialRegister::clock;

MachineReads::Values taken(MachineReads& reads, MachineReads::Warp& warp, std::uint32_t line,
                           LaneMask lanes) {
  MachineReads::Values values;
  values.fill(7);
  reads.take(warp, read_at(line), kClock, lanes, values);
  return values;
}

// On the timed machine, the lanes of a warp diverge and read the clock in several instructions. In the
// untimed reference, one instruction reads the clock for all lanes. Each lane must get the values that were
// recorded for this lane, in the recorded order.
TEST(MachineReads, EachLaneTakesItsValuesInItsOrder) {
  MachineReads reads(program_of({5}), 2, 48);
  reads.placed(1, 9, {WarpId(3), WarpId(4)});
  reads.read(1, 9, 1, read_at(5), kClock, 0x1, 100);
  reads.read(1, 9, 1, read_at(5), kClock, 0x2, 110);
  reads.read(1, 9, 1, read_at(5), kClock, 0x1, 120);
  MachineReads::Cta* const cta = reads.begin(9);
  ASSERT_NE(cta, nullptr);
  EXPECT_EQ(cta->sm, 1u);
  EXPECT_EQ(cta->warps[1].slot, 4u);
  MachineReads::Values values = taken(reads, cta->warps[1], 5, 0x3);
  EXPECT_EQ(values[0], 100u);
  EXPECT_EQ(values[1], 110u);
  EXPECT_EQ(values[2], 7u);
  EXPECT_EQ(reads.mismatch().lanes, 1u);
  values = taken(reads, cta->warps[1], 5, 0x1);
  EXPECT_EQ(values[0], 120u);
  EXPECT_EQ(reads.mismatch().lanes, 0u);
  EXPECT_EQ(reads.sms(), 2u);
  EXPECT_EQ(reads.warp_slots(), 48u);
}

TEST(MachineReads, ReadsThatOneRunAloneMakesAreCounted) {
  MachineReads reads(program_of({5}), 1, 48);
  reads.placed(0, 0, {WarpId(0)});
  MachineReads::Warp& warp = reads.begin(0)->warps[0];
  EXPECT_EQ(taken(reads, warp, 5, 0xff)[3], 7u);
  EXPECT_EQ(reads.mismatch().lanes, 8u);
  EXPECT_EQ(reads.mismatch().line, 5u);
  // A compiler pass has removed the clock read of line 6 from the machine program. This missing read must not
  // count as a mismatch.
  taken(reads, warp, 6, 0xff);
  EXPECT_EQ(reads.mismatch().lanes, 8u);
}

TEST(MachineReads, CanBeTakenAgain) {
  MachineReads reads(program_of({5}), 1, 48);
  reads.placed(0, 0, {WarpId(0)});
  reads.read(0, 0, 0, read_at(5), kClock, kAllLanes, 33);
  for (int times = 0; times < 2; ++times)
    EXPECT_EQ(taken(reads, reads.begin(0)->warps[0], 5, kAllLanes)[31], 33u);
  EXPECT_EQ(reads.begin(1), nullptr);
}

}  // namespace
}  // namespace heddle::isa
