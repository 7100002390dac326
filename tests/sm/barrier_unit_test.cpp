#include <gtest/gtest.h>

#include "models/core/error.h"
#include "models/sm/barrier_unit.h"

namespace heddle {
namespace {

class Barriers : public testing::Test {
 protected:
  Barriers() : unit(2) {
    program.file = "test.ptx";
    program.kernel = "kernel";
    launch.program = std::make_shared<isa::Program>(program);
    unit.cta_begins(CtaSlot(1), 4);
  }
  std::uint64_t arrive(std::uint32_t warp, std::uint32_t number = 0, std::uint32_t threads = 0,
                       bool waits = true, LaneMask predicate = 0) {
    WarpContext context;
    context.warp = WarpId(warp);
    context.cta_slot = CtaSlot(1);
    context.launch = &launch;
    BarrierUnit::Arrival arrival;
    arrival.context = &context;
    arrival.instruction = &instruction;
    arrival.number = number;
    arrival.threads = threads;
    arrival.mask = kAllLanes;
    arrival.predicate = predicate;
    arrival.waits = waits;
    return unit.arrive(arrival);
  }
  BarrierUnit unit;
  isa::Program program;
  isa::KernelLaunch launch;
  isa::Instruction instruction;
};

TEST_F(Barriers, LastArrivalReleasesAll) {
  EXPECT_EQ(arrive(8), 0u);
  EXPECT_EQ(arrive(9), 0u);
  EXPECT_FALSE(unit.all_wait(CtaSlot(1)));
  EXPECT_EQ(unit.describe(CtaSlot(1)), "barrier 0: 2 of 4 warps have arrived");
  EXPECT_EQ(arrive(10), 0u);
  EXPECT_EQ(arrive(11), 0xf00u);
  EXPECT_EQ(unit.describe(CtaSlot(1)), "");
  EXPECT_EQ(arrive(8), 0u) << "the next round counts from nothing";
}

TEST_F(Barriers, ExitedWarpsCountAtBarriersForAll) {
  arrive(8);
  arrive(9);
  EXPECT_EQ(unit.warp_exits(CtaSlot(1)), 0u);
  EXPECT_EQ(unit.warp_exits(CtaSlot(1)), 0x300u);
}

TEST_F(Barriers, PartialBarriersAndArrivalsWithoutWaiting) {
  EXPECT_EQ(arrive(8, 3, 64, false), 0u);
  EXPECT_EQ(arrive(9, 3, 64), 0x200u) << "only those that wait are released";
  EXPECT_EQ(arrive(10, 3, 64), 0u);
  EXPECT_EQ(unit.warp_exits(CtaSlot(1)), 0u) << "an exit does not stand for a thread count";
  EXPECT_EQ(arrive(11, 3, 64), 0xc00u);
}

TEST_F(Barriers, NumbersAreIndependent) {
  arrive(8, 0, 64);
  arrive(9, 1, 64);
  EXPECT_EQ(arrive(10, 1, 64), 0x600u);
  EXPECT_EQ(arrive(11, 0, 64), 0x900u);
}

TEST_F(Barriers, ReductionsCountVotes) {
  arrive(8, 2, 0, true, 0xff);
  arrive(9, 2, 0, true, 0);
  arrive(10, 2, 0, true, kAllLanes);
  arrive(11, 2, 0, true, 1);
  EXPECT_EQ(unit.reduction(CtaSlot(1), 2).votes, 8u + 32 + 1);
  EXPECT_EQ(unit.reduction(CtaSlot(1), 2).lanes, 128u);
}

TEST_F(Barriers, WrongUseIsAnError) {
  EXPECT_THROW(arrive(8, 16), Error);
  EXPECT_THROW(arrive(8, 0, 48), Error);
  EXPECT_THROW(arrive(8, 0, 160), Error) << "more warps than the CTA has";
  arrive(8, 5, 64);
  EXPECT_THROW(arrive(9, 5, 96), Error) << "two counts at one barrier";
  EXPECT_THROW(arrive(9, 5), Error);
}

TEST_F(Barriers, AllWaitShowsADeadlock) {
  arrive(8, 0);
  arrive(9, 1, 128);
  arrive(10, 0);
  EXPECT_FALSE(unit.all_wait(CtaSlot(1)));
  arrive(11, 1, 128);
  EXPECT_TRUE(unit.all_wait(CtaSlot(1)));
}

}  // namespace
}  // namespace heddle
