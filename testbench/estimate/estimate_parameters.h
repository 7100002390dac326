#pragma once

// Parameters of estimates, for launches that are too large to be timed whole (docs/estimates.md).

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
  double ramp_waves = 20;
  int launches = 2;
  double paired_share = 0;

  void fields(FieldVisitor& v) {
    v.field(
        "enabled", enabled,
        "time waves of CTAs at some places of the grid, execute the others untimed, and estimate the whole");
    v.field("error_percent", error_percent, {0.01, 100},
            "half of the 90 % confidence interval of a launch's cycles at which no more places are timed");
    v.field(
        "places", places, {1, 100000},
        "places that are timed at least, beside both ends of the grid; one more where CTAs differ in length");
    v.field("settle_instructions", settle_instructions, {0, 1LL << 40},
            "warp-instructions of an SM at the beginning of a launch from which no rates are taken");
    v.field("settle_waves", settle_waves, {0, 100},
            "waves (CTAs that the SMs hold at once) that have ended at least before rates are taken");
    v.field("settle_share", settle_share, {0, 1},
            "of a grid's waves, at most so many settle_waves; rounded down to whole ones where CTAs begin in "
            "step");
    v.field(
        "ramp_waves", ramp_waves, {0, 1000000},
        "a grid of so many waves of CTAs of one length begins out of step, as most of it runs: CTAs begin "
        "one after the other on every SM (assumed: chosen over the kernels of docs/estimates.md)");
    v.field("warm_up_waves", warm_up_waves, {0, 100},
            "waves that run at each further place before its rates are taken; at the first the head does");
    v.field("window_waves", window_waves, {0.01, 100}, "waves at each place over which its rates are taken");
    v.field("window_instructions", window_instructions, {0, 1LL << 40},
            "warp-instructions of an SM that a place has at least: more waves where a wave has fewer");
    v.field("unsampled_percent", unsampled_percent, {0, 100},
            "of a value, joins half of its interval: what no place shows (how the machine fills, settles and "
            "drains); "
            "docs/estimates.md says what it was measured on");
    v.field("launches", launches, {1, 100000},
            "launches of a kernel and block that are timed at least; of further ones ever fewer, as long as "
            "those that are timed take as long as was expected of them");
    v.field(
        "paired_share", paired_share, {0, 0.75},
        "times this share of every grid, at places spread over it that do not depend on what is measured: "
        "runs whose SMs hold as many CTAs time the same ones, and are compared place by place; of a grid of "
        "less than twice ramp_waves, which begins in step, eight waves at least but no more than half; 0: as "
        "many places as error_percent asks for");
  }
};

}  // namespace heddle::estimate
