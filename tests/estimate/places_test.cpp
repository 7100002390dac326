// Tests how an estimate chooses the windows of CTAs that it times.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testbench/estimate/cta_places.h"
#include "testbench/estimate/head_ramp.h"

namespace heddle::estimate {
namespace {

constexpr std::uint64_t kWave = 8;

EstimateParameters parameters() {
  EstimateParameters p;
  p.places = 2;
  p.settle_instructions = 500;
  p.window_instructions = 0;
  p.settle_waves = 0;
  p.warm_up_waves = 0;
  p.window_waves = 2;  // halved in a long grid, whose CTAs begin one after the other
  p.ramp_waves = 0;
  return p;
}

EstimateParameters short_grid_parameters() {
  EstimateParameters p;
  p.window_instructions = 0;
  return p;
}

TEST(CtaPlaces, OfEqualCtasFirstOnesThenPlacesThatNeverMeet) {
  CtaPlaces places(std::vector<std::uint32_t>(800, 100), kWave, 1, parameters());
  ASSERT_FALSE(places.times_whole());
  EXPECT_EQ(places.head().count, kWave + 5) << "five have ended when a wave more is handed out";
  EXPECT_EQ(places.least(), 5u) << "two windows a place, and the end";
  EXPECT_EQ(places.tail().count, 0u) << "any CTA ends like the last ones";
  std::set<std::uint64_t> timed;
  for (std::uint64_t cta = 0; cta < places.head().count; ++cta) timed.insert(places.head().first + cta);
  while (const auto place = places.next())
    for (std::uint64_t i = 0; i < place->window.count; ++i) {
      EXPECT_TRUE(timed.insert(place->window.first + i).second);
      EXPECT_LT(place->window.first + i, 800u);
    }
  EXPECT_GT(timed.size() + kWave, 800 - places.head().count) << "nearly all others can be requested";
}

TEST(CtaPlaces, TheFirstFewAreSpreadOverTheGrid) {
  CtaPlaces places(std::vector<std::uint32_t>(8000, 100), kWave, 1, parameters());
  std::vector<std::uint64_t> firsts;
  for (std::uint64_t behind = 0; firsts.size() < 4;) {
    const DispatchRange window = places.next()->window;
    if (window.first != behind) firsts.push_back(window.first);
    behind = window.first + window.count;
  }
  std::sort(firsts.begin(), firsts.end());
  EXPECT_LT(firsts[0], 2000u);
  EXPECT_GT(firsts[3], 5000u);
  for (std::size_t i = 1; i < firsts.size(); ++i) EXPECT_GT(firsts[i] - firsts[i - 1], 800u);
}

// The first two windows directly follow the CTAs that are timed first (head). The third window is the last
// wave of the grid, with two waves of warm-up before it. The next place, elsewhere in the grid, begins with
// two waves of warm-up and has four windows.
TEST(CtaPlaces, TheFirstPlaceLiesRightBehindTheHead) {
  EstimateParameters p = parameters();
  p.warm_up_waves = 1;
  CtaPlaces places(std::vector<std::uint32_t>(8000, 100), kWave, 1, p);
  EXPECT_GT(places.head().first, 1000u);
  std::uint64_t behind = places.head().first + places.head().count;
  for (int i = 0; i < 2; ++i) {
    const auto place = places.next();
    EXPECT_EQ(place->window.first, behind);
    behind += place->window.count;
  }
  const auto end = places.next();
  EXPECT_EQ(end->window.first + end->window.count, 8000u);
  EXPECT_EQ(end->warm_up.first, 8000 - 3 * kWave);
  const auto other = places.next();
  EXPECT_NE(other->warm_up.first, behind);
  EXPECT_EQ(other->warm_up.count, 2 * kWave);
  EXPECT_EQ(other->window.first, other->warm_up.first + 2 * kWave);
  behind = other->window.first + other->window.count;
  for (int i = 0; i < 3; ++i, behind += kWave) EXPECT_EQ(places.next()->window.first, behind);
  EXPECT_NE(places.next()->window.first, behind);
}

// Only the first wave of a launch begins in one cycle. This wave and the windows that directly follow it in
// the grid are therefore timed in the grid's order, after the windows at all other places. They end before
// the head (the CTAs that were timed first).
TEST(CtaPlaces, TheBeginningOfALongGridIsTimedInOrder) {
  EstimateParameters p = parameters();
  p.warm_up_waves = 1;
  CtaPlaces places(std::vector<std::uint32_t>(100 * kWave, 100), kWave, 1, p);
  ASSERT_TRUE(places.times_beginning());
  for (std::size_t i = 0; i < places.least(); ++i) places.next();
  EXPECT_EQ(places.beginning().first, 0u);
  EXPECT_EQ(places.beginning().count, kWave);
  std::uint64_t behind = kWave;
  while (const auto window = places.next_of_beginning()) {
    EXPECT_EQ(window->first, behind);
    EXPECT_EQ(window->count, 2 * kWave) << "whole waves: CTAs that began together end together";
    behind += window->count;
  }
  EXPECT_GT(behind, 8 * kWave);
  EXPECT_LE(behind, places.head().first);
  p.paired_share = 0.2;
  EXPECT_FALSE(CtaPlaces(std::vector<std::uint32_t>(100 * kWave, 100), kWave, 1, p).times_beginning());
}

// A tenth of the CTAs, in one corner of the grid, takes a hundred times as long as the others. These CTAs
// must be timed separately.
TEST(CtaPlaces, LongCtasAreAStratumOfTheirOwn) {
  std::vector<std::uint32_t> instructions(8000, 100);
  for (std::size_t cta = 3000; cta < 3800; ++cta) instructions[cta] = 10000;
  CtaPlaces places(instructions, kWave, 1, parameters());
  EXPECT_EQ(places.tail().count, kWave) << "CTAs differ: the machine drains with the grid's own last ones";
  int in_corner = 0;
  for (int i = 0; i < 20; ++i) {
    const auto place = places.next();
    in_corner += place->window.first >= 3000 && place->window.first < 3800;
  }
  EXPECT_GE(in_corner, 1);
  EXPECT_LE(in_corner, 3) << "as many of the places as of the CTAs";
}

TEST(CtaPlaces, AMachineThatSettlesLateIsGivenMoreAtTheBeginning) {
  EstimateParameters p = parameters();
  p.settle_instructions = 5000;
  CtaPlaces one(std::vector<std::uint32_t>(8002, 100), kWave, 1, p);
  EXPECT_EQ(one.head().count, 50 + kWave);
  CtaPlaces four(std::vector<std::uint32_t>(8008, 100), 4 * kWave, 4, p);
  EXPECT_EQ(four.head().count, 200 + 4 * kWave) << "every SM settles";
}

// Long CTAs begin together and drift apart over several waves, so the first timed CTAs (head) must last for
// some waves before the first window: for 4 % of the grid, at least one wave and at most 8.
TEST(CtaPlaces, WavesSettleInProportionToTheGrid) {
  EstimateParameters p = parameters();
  p.settle_waves = 8;
  p.settle_share = 0.04;
  const auto head = [&](std::uint64_t waves) {
    return CtaPlaces(std::vector<std::uint32_t>(waves * kWave, 1000), kWave, 1, p).head().count / kWave;
  };
  EXPECT_EQ(head(25), 1u + 1);
  EXPECT_EQ(head(100), 4u + 1);
  EXPECT_EQ(head(1000), 8u + 1);
}

// If CTAs end in bursts, a partial last wave takes as long as a full one. Therefore the last timed wave must
// be as large as the last wave of the grid.
TEST(CtaPlaces, TheLastWaveIsAsFullAsTheWholeGrids) {
  for (const std::uint64_t grid : {800u, 803u, 807u})
    for (const std::uint64_t settle : {0u, 300u, 900u}) {
      EstimateParameters p = parameters();
      p.settle_instructions = settle;
      p.window_waves = 1;
      std::vector<std::uint32_t> instructions(grid, 100);
      for (std::size_t cta = 0; cta < grid; cta += 2) instructions[cta] = 200;
      CtaPlaces places(instructions, kWave, 1, p);
      ASSERT_FALSE(places.times_whole());
      EXPECT_EQ(places.head().count % kWave, grid % kWave);
      EXPECT_EQ(places.next()->window.count, kWave);
    }
}

TEST(CtaPlaces, OfShortWavesAPlaceHasSeveral) {
  EstimateParameters p = parameters();
  p.window_instructions = 2000;
  CtaPlaces places(std::vector<std::uint32_t>(8000, 100), kWave, 1, p);
  EXPECT_EQ(places.next()->window.count, 2 * kWave)
      << "a wave has 800 instructions; a window has half of four waves";
}

// With a single short CTA, a grid must not count as a grid with CTAs of different length. If a tenth of the
// CTAs take twice as long as the others, the grid must count as such a grid.
TEST(CtaPlaces, CtasThatDifferTakeOnePlaceMore) {
  std::vector<std::uint32_t> instructions(8000, 100);
  instructions.back() = 10;
  CtaPlaces equal(instructions, kWave, 1, parameters());
  EXPECT_EQ(equal.least(), 5u) << "two windows a place, and the end";
  EXPECT_EQ(equal.tail().count, 0u);
  for (std::size_t cta = 0; cta < 8000; cta += 10) instructions[cta] = 200;
  CtaPlaces differ(instructions, kWave, 1, parameters());
  EXPECT_EQ(differ.least(), 3u);
  EXPECT_EQ(differ.tail().count, kWave);
}

// The CTAs at the edges of the grid, a twelfth of all CTAs, execute a third fewer instructions. The grid must
// still count as a grid of equal CTAs: the last wave and the further positions that are timed in grids of
// different CTAs would not represent the edges better.
TEST(CtaPlaces, EdgesOfAGridAreNoStrata) {
  std::vector<std::uint32_t> instructions(8000, 100);
  for (std::size_t cta = 0; cta < 8000; cta += 12) instructions[cta] = 67;
  CtaPlaces places(instructions, kWave, 1, parameters());
  EXPECT_EQ(places.least(), 5u) << "two windows a place, and the end";
  EXPECT_EQ(places.tail().count, 0u);
}

// Four timed windows give three differences between neighbours. These are enough to show how much the windows
// of a short grid deviate.
TEST(CtaPlaces, AShortGridOfDifferentCtasHasFourPlaces) {
  std::vector<std::uint32_t> instructions(30 * kWave, 100);
  for (std::size_t cta = 0; cta < instructions.size(); cta += 4) instructions[cta] = 200;
  const CtaPlaces places(instructions, kWave, 1, short_grid_parameters());
  EXPECT_FALSE(places.in_order());
  EXPECT_EQ(places.least(), 4u);
}

TEST(CtaPlaces, LongGridsOfEqualCtasBeginOutOfStep) {
  EstimateParameters p = parameters();
  p.places = 1;
  p.window_waves = 1;
  p.ramp_waves = 20;
  p.settle_waves = 8;
  p.settle_share = 0.02;
  const CtaPlaces shorter(std::vector<std::uint32_t>(159, 100), kWave, 1, p);
  EXPECT_FALSE(shorter.ramps());
  EXPECT_EQ(shorter.least(), 1u);
  CtaPlaces longer(std::vector<std::uint32_t>(403, 1000), kWave, 1, p);
  ASSERT_TRUE(longer.ramps());
  EXPECT_EQ(longer.head().count, kWave + 9) << "50 waves, of which one settles; no waves end together";
  EXPECT_EQ(longer.least(), 3u) << "what two windows differ by, and the end";
  EXPECT_EQ(longer.next()->window.count, kWave / 2);
  CtaPlaces few(std::vector<std::uint32_t>(150, 1000), 3, 1, p);
  EXPECT_EQ(few.next()->window.count, 3u) << "half a wave would be one CTA";
  std::vector<std::uint32_t> instructions(400, 100);
  for (std::size_t cta = 0; cta < 400; cta += 4) instructions[cta] = 200;
  EXPECT_FALSE(CtaPlaces(instructions, kWave, 1, p).ramps()) << "they come apart by themselves";
}

// A short grid must be timed from its first CTA on, window after window. The first timed CTAs (head) must
// include the CTAs that do not fill a window, so that all windows are equally long.
TEST(CtaPlaces, ShortGridsAreTimedInOrder) {
  CtaPlaces places(std::vector<std::uint32_t>(30 * kWave + 3, 100), kWave, 1, short_grid_parameters());
  ASSERT_TRUE(places.in_order());
  EXPECT_FALSE(places.ramps());
  EXPECT_EQ(places.head().first, 0u);
  EXPECT_EQ(places.head().count, kWave + 3);
  std::uint64_t behind = places.head().count;
  EXPECT_EQ(places.rest().first, behind);
  EXPECT_EQ(places.rest().count, 27 * kWave) << "without the last window and its warm-up";
  while (const auto place = places.next()) {
    EXPECT_EQ(place->warm_up.count, 0u);
    EXPECT_EQ(place->window.first, behind);
    EXPECT_EQ(place->window.count, kWave);
    behind += kWave;
  }
  EXPECT_EQ(behind, places.ctas());
  EXPECT_EQ(places.rest().count, 0u);
  EXPECT_FALSE(places.at_end());
}

// 4000 instructions per window would be 5 waves. In a grid of 20 waves or more, windows must be shorter, so
// that several windows fit into half of the grid.
TEST(CtaPlaces, WindowsOfAShortGridFitIntoItsHalf) {
  EstimateParameters p = short_grid_parameters();
  p.window_instructions = 4000;
  const auto window = [&](std::uint64_t waves) {
    return CtaPlaces(std::vector<std::uint32_t>(waves * kWave, 100), kWave, 1, p).window() / kWave;
  };
  EXPECT_EQ(window(19), 5u) << "more than half may be timed";
  EXPECT_EQ(window(20), 1u);
  EXPECT_EQ(window(30), 2u);
  EXPECT_EQ(window(38), 2u);
}

TEST(CtaPlaces, AGridInOrderGoesToItsEndAndBack) {
  CtaPlaces places(std::vector<std::uint32_t>(30 * kWave, 100), kWave, 1, short_grid_parameters());
  for (int i = 0; i < 4; ++i) places.next();
  places.go_to_end();
  const auto end = places.next();
  EXPECT_EQ(end->warm_up.first, 28 * kWave);
  EXPECT_EQ(end->window.first, 29 * kWave);
  EXPECT_TRUE(places.at_end());
  EXPECT_EQ(places.next_window(), 2 * kWave) << "with the warm-up after the jump back";
  EXPECT_EQ(places.rest().first, 5 * kWave);
  EXPECT_EQ(places.rest().count, 23 * kWave);
  const auto back = places.next();
  EXPECT_EQ(back->warm_up.first, 5 * kWave);
  EXPECT_EQ(back->window.first, 6 * kWave);
  std::uint64_t behind = 7 * kWave;
  while (const auto place = places.next()) {
    EXPECT_EQ(place->warm_up.count, 0u);
    EXPECT_EQ(place->window.first, behind);
    behind += kWave;
  }
  EXPECT_EQ(behind, 28 * kWave);
}

std::vector<std::uint32_t> segments_of_halves(std::uint64_t ctas) {
  std::vector<std::uint32_t> segments(ctas, 10);
  for (std::uint64_t cta = ctas / 2; cta < ctas; ++cta) segments[cta] = 40;
  return segments;
}

// The second half of the grid accesses memory four times as often as the first half, but executes the same
// number of instructions. Both ends of the grid and its middle must be timed.
TEST(CtaPlaces, AGridWhoseAccessesVaryIsTimedInStretches) {
  const std::uint64_t ctas = 200 * kWave + 3;
  const std::vector<std::uint32_t> equal(ctas, 100);
  CtaPlaces places(equal, kWave, 1, short_grid_parameters(), segments_of_halves(ctas));
  ASSERT_NE(places.stretches(), nullptr);
  EXPECT_FALSE(places.ramps());
  EXPECT_FALSE(places.in_order());
  EXPECT_NEAR(places.segments({0, ctas}), 0.25, 1e-3);
  EXPECT_EQ(places.head().first, 0u);
  EXPECT_EQ(places.tail().count, 3u) << "the grid drains as the launch does";
  EXPECT_EQ(places.least(), GridStretches::kLeast);
  DispatchRange last;
  while (const auto place = places.next()) last = place->window;
  EXPECT_EQ(places.stretches()->ended(), GridStretches::kLeast);
  EXPECT_EQ(last.first + last.count, places.tail().first);
  std::vector<std::uint32_t> alternating(ctas, 10);
  for (std::uint64_t cta = 0; cta < ctas; cta += 2) alternating[cta] = 40;
  EXPECT_EQ(CtaPlaces(equal, kWave, 1, short_grid_parameters(), alternating).stretches(), nullptr)
      << "waves are alike";
}

// From 20 waves up, at most half of the grid is timed. The first three stretches must therefore fit into the
// half. In shorter grids they do not.
TEST(CtaPlaces, TheFirstStretchesFitIntoTheHalf) {
  const auto timed = [](std::uint64_t ctas) {
    EstimateParameters p = short_grid_parameters();
    p.window_instructions = 100000;
    CtaPlaces places(std::vector<std::uint32_t>(ctas, 100), kWave, 1, p, segments_of_halves(ctas));
    if (places.times_whole()) return ctas;
    std::uint64_t sum = places.tail().count;
    while (const auto place = places.next()) sum += place->window.count + place->warm_up.count;
    return sum;
  };
  EXPECT_EQ(timed(19 * kWave), 19 * kWave);
  for (const std::uint64_t waves : {20, 25, 38, 61, 99, 150})
    for (const std::uint64_t more : {0, 1, 7})
      EXPECT_LE(2 * timed(waves * kWave + more), waves * kWave + more);
}

// On one SM, the four CTAs of a wave have 100 instructions each. They must begin a quarter of a CTA's work
// apart: the second CTA begins after 25 instructions of the first CTA, the third CTA after 50 more
// instructions of the first two CTAs together.
TEST(HeadRamp, CtasBeginAStepOfTheirWorkApart) {
  HeadRamp ramp({40, 6}, 4, 1, [](DispatchRange range) { return 100 * range.count; });
  EXPECT_EQ(ramp.first().first, 40u);
  std::vector<std::uint64_t> begun;
  for (std::uint64_t issued = 0; begun.size() < 4; ++issued) {
    const auto range = ramp.next(issued);
    if (!range) break;
    if (range->count == 0) continue;
    EXPECT_EQ(range->first, 41 + begun.size());
    begun.push_back(issued);
    EXPECT_EQ(range->count, begun.size() == 4 ? 2u : 1u) << "what follows the first wave has no steps";
  }
  EXPECT_EQ(begun, (std::vector<std::uint64_t>{25, 75, 150, 151}));
  EXPECT_FALSE(ramp.next(1000).has_value());
}

// The first CTAs may have almost no instructions. The next CTAs must then begin when the first have ended.
TEST(HeadRamp, NeverWaitsForMoreThanTheCtasThatRunWillDo) {
  const auto instructions = [](DispatchRange range) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = range.first; i < range.first + range.count; ++i) sum += i < 4 ? 2 : 1000;
    return sum;
  };
  HeadRamp ramp({0, 16}, 16, 2, instructions);
  for (std::uint64_t begun = ramp.first().count; begun < 16;) {
    const auto range = ramp.next(instructions({0, begun}));
    ASSERT_TRUE(range && range->count == 2u) << begun;
    begun += range->count;
  }
}

EstimateParameters paired_parameters() {
  EstimateParameters p = parameters();
  p.settle_instructions = 0;
  p.warm_up_waves = 1;
  p.window_waves = 1;
  p.ramp_waves = 40;
  p.paired_share = 0.2;
  return p;
}

using Windows = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
Windows paired_windows(std::vector<std::uint32_t> instructions) {
  CtaPlaces places(std::move(instructions), kWave, 1, paired_parameters());
  Windows windows;
  while (const auto place = places.next()) windows.emplace_back(place->window.first, place->window.count);
  EXPECT_EQ(windows.size(), places.least()) << "nothing that is measured decides";
  return windows;
}

std::uint64_t ctas_of(const Windows& windows) {
  std::uint64_t sum = 0;
  for (const auto& [first, count] : windows) sum += count;
  return sum;
}

TEST(CtaPlaces, PairedOnesDoNotFollowTheInstructionsOfCtas) {
  std::vector<std::uint32_t> more(800, 100);
  for (std::size_t i = 0; i < more.size(); i += 3) more[i] += 2;
  const Windows windows = paired_windows(std::vector<std::uint32_t>(800, 100));
  EXPECT_EQ(windows, paired_windows(more));
  EXPECT_EQ(windows.size() * kWave, 160u) << "a fifth of the grid";
  std::size_t places = 1;
  for (std::size_t i = 1; i < windows.size(); ++i)
    if (windows[i].first != windows[i - 1].first + windows[i - 1].second) ++places;
  EXPECT_EQ(places, 2u) << "long ones: CTAs run otherwise where they jump";
  EXPECT_LT(windows.front().first, 400u);
  EXPECT_GT(windows.back().first, 400u);
}

TEST(CtaPlaces, PairedOnesAreMoreWhereCtasDiffer) {
  std::vector<std::uint32_t> instructions(800);
  for (std::size_t i = 0; i < instructions.size(); ++i) instructions[i] = 100 + static_cast<std::uint32_t>(i);
  const Windows windows = paired_windows(instructions);
  std::set<std::uint64_t> eighths;
  for (const auto& [first, count] : windows) eighths.insert(first / 100);
  EXPECT_GE(eighths.size(), 5u);
}

// In a short grid, two waves do not show how the rest runs. Therefore half of the grid must be timed, in
// windows directly after its first CTAs.
TEST(CtaPlaces, OfAShortGridPairedOnesAreHalfRightBehindTheHead) {
  for (const std::uint64_t waves : {10u, 15u, 17u}) {
    const std::vector<std::uint32_t> equal(waves * kWave, 100);
    CtaPlaces places(equal, kWave, 1, paired_parameters());
    ASSERT_FALSE(places.times_whole());
    EXPECT_EQ(places.head().count, 2 * kWave) << "a wave has ended when the windows begin";
    const Windows windows = paired_windows(equal);
    const std::uint64_t timed = places.head().count + ctas_of(windows),
                        half = std::min(waves * kWave / 2, 8 * kWave);
    EXPECT_LE(timed, half + kWave / 2) << waves;
    EXPECT_GE(timed, half - kWave / 2) << waves;
    std::uint64_t behind = places.head().first + places.head().count;
    for (const auto& [first, count] : windows) {
      EXPECT_EQ(first, behind);
      EXPECT_EQ(count, kWave);
      behind += count;
    }
  }
  std::vector<std::uint32_t> differ(15 * kWave, 100);
  for (std::size_t cta = 0; cta < differ.size(); cta += 4) differ[cta] = 200;
  EXPECT_GE(ctas_of(paired_windows(differ)), 6 * kWave) << "with the head half of the grid";
}

// Paired runs time a third (8 waves) of a grid of 25 waves. The first timed CTAs must begin in the same
// cycle, as in the launch. In a long grid (here 40 waves), they begin one after the other.
TEST(CtaPlaces, PairedOnesOfTwentyFiveWavesBeginAsTheLaunchDoes) {
  const std::vector<std::uint32_t> equal(25 * kWave, 1000);
  EstimateParameters p = paired_parameters();
  CtaPlaces places(equal, kWave, 1, p);
  EXPECT_FALSE(places.ramps());
  EXPECT_EQ(places.head().count + ctas_of(paired_windows(equal)), 8 * kWave);
  EXPECT_TRUE(CtaPlaces(std::vector<std::uint32_t>(40 * kWave, 1000), kWave, 1, p).ramps());
}

TEST(CtaPlaces, FewWavesAreTimedWhole) {
  EXPECT_TRUE(CtaPlaces(std::vector<std::uint32_t>(4 * kWave, 100), kWave, 1, parameters()).times_whole());
  EstimateParameters one = parameters();
  one.places = 1;
  one.settle_instructions = 0;
  EXPECT_TRUE(CtaPlaces(std::vector<std::uint32_t>(4 * kWave, 100), kWave, 1, one).times_whole());
  EXPECT_FALSE(CtaPlaces(std::vector<std::uint32_t>(20 * kWave, 100), kWave, 1, one).times_whole());
  EXPECT_TRUE(CtaPlaces(std::vector<std::uint32_t>(3 * kWave, 100), kWave, 1, parameters()).times_whole());
  EXPECT_TRUE(CtaPlaces({100}, kWave, 1, parameters()).times_whole());
}

}  // namespace
}  // namespace heddle::estimate
