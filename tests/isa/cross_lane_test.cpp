// Tests shuffles, votes, matches and reductions, with inactive lanes and member masks.

#include "tests/isa/lane_runner.h"

namespace heddle::isa::test {
namespace {

Modifiers shuffle(ShuffleMode mode, bool sync = false) {
  Modifiers m;
  m.shuffle = mode;
  m.sync = sync;
  return m;
}

void number_lanes(LaneRunner& form) {
  for (int lane = 0; lane < kLanes; ++lane) form.set_source(0, lane, 100u + static_cast<unsigned>(lane));
}
LaneRunner& shuffled(LaneRunner& form, std::uint32_t b, std::uint32_t c) {
  number_lanes(form);
  form.fill_source(1, b);
  form.fill_source(2, c);
  EXPECT_TRUE(form.run(chosen_set()));
  return form;
}

TEST(Shuffle, DownStopsAtTheClamp) {
  LaneRunner form(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::down));
  shuffled(form, 1, 31);
  EXPECT_EQ(form.result(0), 101u);
  EXPECT_EQ(form.result(31), 131u);  // if the source lane is out of bounds, the lane gets its own value
  EXPECT_EQ(form.predicate(1), 0x7fffffffu);
}

TEST(Shuffle, UpStopsAtTheStartOfTheSegment) {
  LaneRunner form(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::up));
  shuffled(form, 2, 0x1800);  // shuffle within segments of 8 lanes
  EXPECT_EQ(form.result(9), 109u);
  EXPECT_EQ(form.result(10), 108u);
  EXPECT_EQ(form.predicate(1), 0xfcfcfcfcu);
}

TEST(Shuffle, ButterflyAndIndex) {
  LaneRunner butterfly(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::bfly));
  shuffled(butterfly, 16, 31);
  EXPECT_EQ(butterfly.result(3), 119u);
  LaneRunner index(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::idx));
  shuffled(index, 5, 0x181f);
  EXPECT_EQ(index.result(0), 105u);
  EXPECT_EQ(index.result(31), 129u);
  EXPECT_EQ(index.predicate(1), kAllLanes);
}

TEST(Shuffle, InactiveSourceLanesGiveTheOwnValue) {
  LaneRunner form(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::idx));
  form.view().active = 0x0000ffff;
  shuffled(form, 20, 31);
  EXPECT_EQ(form.result(3), 103u);
  EXPECT_EQ(form.predicate(1), kAllLanes);
}

TEST(Shuffle, LanesOutsideTheMemberMaskAreNotRead) {
  LaneRunner form(Opcode::shfl, DataType::b32, shuffle(ShuffleMode::bfly, true));
  for (int lane = 0; lane < kLanes; ++lane) form.set_source(3, lane, lane < 16 ? 0x0000ffffu : 0xffff0000u);
  shuffled(form, 16, 31);
  EXPECT_EQ(form.result(3), 103u);
  for (int lane = 0; lane < kLanes; ++lane) form.set_source(3, lane, kAllLanes);
  shuffled(form, 16, 31);
  EXPECT_EQ(form.result(3), 119u);
}

// Expected result of shfl for one lane, computed by the pseudocode in the PTX ISA.
struct Read {
  int lane;
  bool in_range;
};
Read read_of(ShuffleMode mode, int lane, int b, int c) {
  const int clamp = c & 31, segment = c >> 8 & 31, offset = b & 31;
  const int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
  switch (mode) {
    case ShuffleMode::up:
      return {lane - offset, lane - offset >= most};
    case ShuffleMode::down:
      return {lane + offset, lane + offset <= most};
    case ShuffleMode::bfly:
      return {lane ^ offset, (lane ^ offset) <= most};
    default:
      return {least | (offset & ~segment), (least | (offset & ~segment)) <= most};
  }
}
TEST(Shuffle, EveryLaneReadsWhatItNames) {
  std::uint32_t random = 1;
  const auto draw = [&random] { return (random = random * 1664525 + 1013904223) >> 8; };
  for (const ShuffleMode mode : {ShuffleMode::up, ShuffleMode::down, ShuffleMode::bfly, ShuffleMode::idx})
    for (int round = 0; round < 50; ++round) {
      LaneRunner form(Opcode::shfl, DataType::b32, shuffle(mode, true));
      number_lanes(form);
      std::array<std::uint32_t, kLanes> b{}, c{}, members{};
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        form.set_source(1, static_cast<int>(lane), b[lane] = draw());
        form.set_source(2, static_cast<int>(lane), c[lane] = draw());
        form.set_source(3, static_cast<int>(lane), members[lane] = draw() | draw() << 16);
      }
      form.view().active = draw() | draw() << 16;
      ASSERT_TRUE(form.run(chosen_set()));
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const int own = static_cast<int>(lane);
        const Read read =
            read_of(mode, own, static_cast<int>(b[lane] & 0xffff), static_cast<int>(c[lane] & 0xffff));
        const bool reads = read.in_range && ((form.view().active & members[lane]) >> read.lane & 1u) != 0;
        EXPECT_EQ(form.result(own), 100u + static_cast<unsigned>(reads ? read.lane : own));
        EXPECT_EQ(form.predicate(1) >> lane & 1u, read.in_range ? 1u : 0u);
      }
    }
}

LaneMask voted(VoteMode mode, LaneMask predicate, LaneMask active, LaneMask low_member,
               LaneMask high_member) {
  Modifiers m;
  m.vote = mode;
  m.sync = true;
  LaneRunner form(Opcode::vote, DataType::pred, m);
  for (int lane = 0; lane < kLanes; ++lane) form.set_source(1, lane, lane < 16 ? low_member : high_member);
  form.view().pred_src[0] = predicate;
  form.view().active = active;
  EXPECT_TRUE(form.run(chosen_set()));
  return form.predicate(0);
}

TEST(Vote, LooksAtActiveMembersOnly) {
  EXPECT_EQ(voted(VoteMode::all, 0x00000ffe, 0x00000ffe, kAllLanes, kAllLanes), kAllLanes);
  EXPECT_EQ(voted(VoteMode::all, 0x00000ffe, 0x00000fff, kAllLanes, kAllLanes), 0u);
  EXPECT_EQ(voted(VoteMode::any, 0xfffff000, 0x00000fff, kAllLanes, kAllLanes), 0u);
  EXPECT_EQ(voted(VoteMode::uni, 0, kAllLanes, kAllLanes, kAllLanes), kAllLanes);
  EXPECT_EQ(voted(VoteMode::uni, 1, kAllLanes, kAllLanes, kAllLanes), 0u);
}

TEST(Vote, GroupsWithMasksOfTheirOwnVoteApart) {
  EXPECT_EQ(voted(VoteMode::all, 0x0000ffff, kAllLanes, 0x0000ffff, 0xffff0000), 0x0000ffffu);
}

TEST(Vote, Ballot) {
  Modifiers m;
  m.vote = VoteMode::ballot;
  LaneRunner form(Opcode::vote, DataType::b32, m);
  form.view().pred_src[0] = 0xf0f0f0f0;
  form.view().active = 0x0000ffff;
  ASSERT_TRUE(form.run(chosen_set()));
  EXPECT_EQ(form.result(0), 0xf0f0u);
}

TEST(Match, AnyAndAll) {
  Modifiers m;
  m.sync = true;
  m.match = MatchMode::any;
  LaneRunner any(Opcode::match, DataType::b64, m);
  any.fill_source(1, kAllLanes);
  for (int lane = 0; lane < kLanes; ++lane)
    any.set_source(0, lane, static_cast<std::uint64_t>(lane % 2) << 32);
  ASSERT_TRUE(any.run(chosen_set()));
  EXPECT_EQ(any.result(2), 0x55555555u);
  EXPECT_EQ(any.result(3), 0xaaaaaaaau);
  m.match = MatchMode::all;
  LaneRunner all(Opcode::match, DataType::b32, m);
  all.fill_source(1, 0x0000000f);
  for (int lane = 0; lane < kLanes; ++lane)
    all.set_source(0, lane, lane < 4 ? 7u : static_cast<unsigned>(lane));
  ASSERT_TRUE(all.run(chosen_set()));
  EXPECT_EQ(all.result(0), 0xfu);
  EXPECT_EQ(all.result(0, 1), 1u);
}

TEST(Redux, ReducesOverTheMembers) {
  Modifiers m;
  m.sync = true;
  m.atomic = AtomicOp::add;
  LaneRunner sum(Opcode::redux, DataType::u32, m);
  number_lanes(sum);
  sum.fill_source(1, 0x7);
  ASSERT_TRUE(sum.run(chosen_set()));
  EXPECT_EQ(sum.result(0), 303u);
  m.atomic = AtomicOp::min;
  LaneRunner least(Opcode::redux, DataType::s32, m);
  for (int lane = 0; lane < kLanes; ++lane) least.set_source(0, lane, lane == 5 ? 0xfffffff0u : 3u);
  least.fill_source(1, kAllLanes);
  ASSERT_TRUE(least.run(chosen_set()));
  EXPECT_EQ(least.result(9), 0xfffffff0u);
}

TEST(ActiveMask, IsTheMaskOfTheCall) {
  LaneRunner form(Opcode::activemask, DataType::b32);
  form.view().active = 0x00ff00ff;
  ASSERT_TRUE(form.run(chosen_set()));
  EXPECT_EQ(form.result(0), 0x00ff00ffu);
}

}  // namespace
}  // namespace heddle::isa::test
