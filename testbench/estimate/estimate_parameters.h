#pragma once

// Parameters of estimates, for launches that are too large to be timed completely (docs/estimates.md).

#include "models/core/fields.h"

namespace heddle::estimate {

struct EstimateParameters {
  bool enabled = false;
  double error_percent = 3;
  int places = 1;
  std::uint64_t settle_instructions = 0;
  double settle_waves = 8;
  double settle_share = 0.015;
  double warm_up_waves = 1;
  double window_waves = 1;
  std::uint64_t window_instructions = 4000;
  double unsampled_percent = 3;
  double ramp_waves = 40;
  int launches = 2;
  double paired_share = 0;

  void fields(FieldVisitor& v) {
    v.field(
        "enabled", enabled,
        "time waves of CTAs at some places of the grid, execute the others untimed, and estimate the whole");
    v.field("error_percent", error_percent, {0.01, 100},
            "stop timing places of a launch when half of the 90 % confidence interval of its cycles is this "
            "small");
    v.field("places", places, {1, 100000},
            "least number of timed places, in addition to both ends of the grid; one more if CTAs differ in "
            "length");
    v.field("settle_instructions", settle_instructions, {0, 1LL << 40},
            "warp-instructions per SM at the beginning of a launch that are left out of the rates");
    v.field("settle_waves", settle_waves, {0, 100},
            "waves (the CTAs that the SMs hold at once) that must end before rates are measured");
    v.field("settle_share", settle_share, {0, 1},
            "most of a grid's waves that settle_waves may take, as a share; rounded down to whole waves if "
            "CTAs begin in step");
    v.field(
        "ramp_waves", ramp_waves, {0, 1000000},
        "least waves of a long grid: its CTAs, if equally long, begin out of step, one after the other on "
        "every SM, as most of a long grid runs; a shorter grid is timed in order from its first CTA");
    v.field(
        "warm_up_waves", warm_up_waves, {0, 100},
        "waves that run at each further place before its rates are measured, twice as many in a long grid "
        "of equal CTAs; before the first place the head runs");
    v.field("window_waves", window_waves, {0.01, 100},
            "waves over which the rates of each place are measured");
    v.field("window_instructions", window_instructions, {0, 1LL << 40},
            "least warp-instructions per SM of a place; a place has more waves if a wave has fewer");
    v.field("unsampled_percent", unsampled_percent, {0, 100},
            "share of a value that is added to half of its interval for effects that no place shows (how the "
            "machine fills, settles and drains); docs/estimates.md has the measurements");
    v.field("launches", launches, {1, 100000},
            "least number of timed launches of a kernel and block; of further launches fewer and fewer are "
            "timed, as long as timed ones take as long as expected");
    v.field("paired_share", paired_share, {0, 0.75},
            "times this share of every grid, at places spread over the grid that do not depend on "
            "measurements: runs whose SMs hold equally many CTAs time the same places and are compared place "
            "by place; a grid shorter than ramp_waves begins in step and has at least eight timed "
            "waves, but at most half of its waves; 0: error_percent determines the number of places");
  }
};

}  // namespace heddle::estimate
