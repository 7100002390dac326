#include "models/reference/barrier_set.h"

#include <gtest/gtest.h>

#include "models/core/error.h"

namespace heddle::reference {
namespace {

using isa::BarrierKind;

BarrierSet::Arrival at(std::uint32_t warp, std::uint32_t barrier, std::uint32_t threads = 0,
                       BarrierKind kind = BarrierKind::sync) {
  return {warp, barrier, threads, kind, kAllLanes, 0};
}

TEST(BarrierSet, ReleasesAllWarpsWithTheLastArrival) {
  BarrierSet b(3);
  BarrierSet::Completion done;
  EXPECT_FALSE(b.arrive(at(0, 0), done));
  EXPECT_FALSE(b.arrive(at(2, 0), done));
  EXPECT_EQ(b.describe(), "barrier 0 has 2 of 3 warps");
  EXPECT_TRUE(b.arrive(at(1, 0), done));
  EXPECT_EQ(done.waiting, 0b111u);
  EXPECT_EQ(b.describe(), "");
}

TEST(BarrierSet, CountsExitedWarpsForAllButNotForPartOfTheCta) {
  BarrierSet b(3);
  BarrierSet::Completion done;
  b.arrive(at(0, 0), done);
  b.arrive(at(1, 0), done);
  EXPECT_TRUE(b.exited(2, done));
  EXPECT_EQ(done.waiting, 0b011u);

  BarrierSet part(3);
  part.arrive(at(0, 1, 64), done);
  EXPECT_FALSE(part.exited(2, done));
}

TEST(BarrierSet, ArriveCountsWithoutWaiting) {
  BarrierSet b(4);
  BarrierSet::Completion done;
  EXPECT_FALSE(b.arrive(at(0, 3, 64, BarrierKind::arrive), done));
  EXPECT_TRUE(b.arrive(at(1, 3, 64), done));
  EXPECT_EQ(done.waiting, 0b10u);
}

TEST(BarrierSet, ReducesOverExecutingLanesOfAllWarps) {
  BarrierSet b(2);
  BarrierSet::Completion done;
  b.arrive({0, 0, 0, BarrierKind::red_popc, 0x0000ffff, 0xffffffff}, done);
  EXPECT_TRUE(b.arrive({1, 0, 0, BarrierKind::red_popc, 0x0000000f, 0x00000005}, done));
  EXPECT_EQ(done.popc, 18u);
  EXPECT_TRUE(done.any);
  EXPECT_FALSE(done.all);
}

TEST(BarrierSet, RefusesWhatCannotBe) {
  BarrierSet b(2);
  BarrierSet::Completion done;
  EXPECT_THROW(b.arrive(at(0, 16), done), Error);
  EXPECT_THROW(b.arrive(at(0, 0, 33), done), Error);
  EXPECT_THROW(b.arrive(at(0, 0, 96), done), Error);
  b.arrive(at(0, 0), done);
  EXPECT_THROW(b.arrive(at(1, 0, 32), done), Error);
}

}  // namespace
}  // namespace heddle::reference
