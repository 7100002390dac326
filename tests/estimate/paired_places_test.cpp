// Tests the confidence interval of the difference between two estimated runs that time the same CTA windows.

#include <gtest/gtest.h>

#include <cmath>

#include "testbench/estimate/paired_places.h"

namespace heddle::estimate {
namespace {

// Returns a run with timed groups of CTAs, each with 1,000 instructions. `cycles`: cycles of each group. The
// whole run has ten times as many instructions.
PairedRun run_of(const std::vector<Cycle>& cycles, std::uint64_t first_cta = 0) {
  PairedRun run;
  run.half = 0.03;
  for (const Cycle one : cycles) {
    run.places.push_back({0, first_cta, 8, one, 1000, 0, 0, 0});
    first_cta += 8;
    run.cycles += 10 * static_cast<double>(one);
  }
  for (PairedPlace& place : run.places) place.stands_for = run.cycles;
  return run;
}

PairedRun with_energies(PairedRun run, const std::vector<double>& energies) {
  run.energy_half = 0.02;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    run.places[i].energy_nj = energies[i];
    run.energy_nj += 10 * energies[i];
  }
  for (PairedPlace& place : run.places) place.stands_for_nj = run.energy_nj;
  return run;
}

TEST(PairedDifference, WhatBothErrByAlikeIsNoDoubt) {
  const PairedRun plain = run_of({1000, 1300, 900, 1500, 800, 1200}),
                  alike = run_of({1100, 1430, 990, 1650, 880, 1320}),
                  other = run_of({1300, 1000, 1600, 900, 1200, 1370});
  const PairedDifference close = paired_difference(plain, alike), wide = paired_difference(plain, other);
  EXPECT_DOUBLE_EQ(close.ratio, 1.1);
  EXPECT_EQ(close.places, 6u);
  EXPECT_LT(close.half, 0.01);
  EXPECT_GT(wide.half, 0.1);
}

TEST(PairedDifference, OtherPlacesLeaveTheDoubtOfBoth) {
  const PairedDifference difference =
      paired_difference(run_of({1000, 1000, 1000}), run_of({1100, 1100, 1100}, 8));
  EXPECT_EQ(difference.places, 0u);
  EXPECT_DOUBLE_EQ(difference.half, std::hypot(0.03, 0.03));
}

TEST(PairedDifference, LaunchesWeighWhatTheyStandFor) {
  PairedRun plain = run_of({1000, 1300, 900, 1500}), other = run_of({1300, 1000, 1500, 900});
  const double all = paired_difference(plain, other).half;
  for (PairedPlace& place : other.places) place.stands_for /= 10;
  EXPECT_LT(paired_difference(plain, other).half, all / 5);
}

TEST(PairedDifference, EnergiesHaveTheirOwnInterval) {
  const PairedRun cycles = run_of({1000, 1300, 900, 1500}), longer = run_of({1300, 1000, 1600, 900});
  const PairedRun plain = with_energies(cycles, {50, 60, 40, 70}),
                  half = with_energies(longer, {25, 30, 20, 35});
  const auto energy = paired_energy(plain, half);
  ASSERT_TRUE(energy);
  EXPECT_DOUBLE_EQ(energy->ratio, 0.5);
  EXPECT_EQ(energy->places, 4u);
  EXPECT_LT(energy->half, 0.02);
  EXPECT_GT(paired_difference(plain, half).half, 0.1) << "of the cycles";
  const PairedRun elsewhere = with_energies(run_of({1000, 1300, 900, 1500}, 8), {25, 30, 20, 35});
  EXPECT_DOUBLE_EQ(paired_energy(plain, elsewhere)->half, std::hypot(0.02, 0.02));
}

TEST(PairedDifference, WithoutAnAccountThereIsNoneOfEnergies) {
  const PairedRun bare = run_of({1000, 1300}), plain = with_energies(bare, {50, 60});
  EXPECT_FALSE(paired_energy(plain, bare));
  PairedRun old = plain;
  for (PairedPlace& place : old.places) place.energy_nj = 0;
  EXPECT_FALSE(paired_energy(old, plain));
}

// Errors of launches mostly have the same sign, so their intervals must be added linearly.
TEST(PairedDifference, DoubtsOfLaunchesAddUp) {
  PairedRun plain = run_of({1000, 1300, 900, 1500}), other = run_of({1300, 1000, 1500, 900});
  const double one = paired_difference(plain, other).half;
  for (PairedRun* run : {&plain, &other}) {
    run->cycles *= 2;
    const std::vector<PairedPlace> first = run->places;
    for (PairedPlace place : first) {
      place.launch = 1;
      run->places.push_back(place);
    }
  }
  EXPECT_NEAR(paired_difference(plain, other).half, one, 0.001);
}

// The second run becomes slower and slower, so its untimed part may differ much from its timed part. The
// interval must therefore be wide.
TEST(PairedDifference, ADriftIsADoubt) {
  const PairedRun plain = run_of(std::vector<Cycle>(8, 1000));
  const PairedRun drifts = run_of({940, 955, 970, 990, 1010, 1030, 1045, 1060}),
                  mixed = run_of({1010, 990, 1010, 990, 1010, 990, 1010, 990});
  EXPECT_GT(paired_difference(plain, drifts).half, 2 * paired_difference(plain, mixed).half);
}

TEST(PairedDifference, IsWellKnownToAPointOrAQuarter) {
  EXPECT_TRUE(is_well_known({1.0, 0.009, 4}));
  EXPECT_FALSE(is_well_known({1.0, 0.011, 4}));
  EXPECT_TRUE(is_well_known({1.2, 0.03, 4}));
  EXPECT_FALSE(is_well_known({1.2, 0.05, 4}));
  EXPECT_TRUE(is_well_known({0.8, 0.06, 4}));
}

TEST(PairedPlaces, WindowsInARowAreOnePieceAndLaunchesBetweenJoinTheirOwn) {
  LaunchEstimate estimate;
  estimate.cycles.value = 5000;
  estimate.energy_nj = Interval{30, 29, 31};
  for (std::uint64_t first : {80, 88, 96, 104, 112, 400, 408})
    estimate.windows.push_back({first, 8, 0, 100, 50, {}, 2.5});
  PairedPlaces places;
  places.add(3, estimate);
  LaunchEstimate between;
  between.like = 3;
  between.cycles.value = 4000;
  between.energy_nj = Interval{20, 19, 21};
  places.add_like(between);
  const auto all = places.all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].ctas, 32u);
  EXPECT_EQ(all[1].first_cta, 112u);
  EXPECT_EQ(all[1].cycles, 100u) << "what follows lies elsewhere";
  EXPECT_EQ(all[2].ctas, 16u);
  EXPECT_DOUBLE_EQ(all[0].stands_for, 9000);
  EXPECT_DOUBLE_EQ(all[0].energy_nj, 10);
  EXPECT_DOUBLE_EQ(all[2].stands_for_nj, 50);
}

}  // namespace
}  // namespace heddle::estimate
