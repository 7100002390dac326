#pragma once

// How a run estimates launches that are too large to be timed whole (docs/estimates.md).

#include "models/core/fields.h"

namespace heddle::run {

struct EstimateParameters {
  bool enabled = false;
  double error_percent = 2;
  int places = 3;
  std::uint64_t settle_instructions = 40000;
  double warm_up_waves = 0;
  double window_waves = 1;
  int launches = 3;
  int threads = 1;

  void fields(FieldVisitor& v) {
    v.field("enabled", enabled,
            "time waves of CTAs at some places of the grid, execute the others untimed, and estimate the whole");
    v.field("error_percent", error_percent, {0.01, 100},
            "half of the 90 % confidence interval of a launch's cycles at which no more places are timed");
    v.field("places", places, {2, 100000}, "places that are timed at least, beside both ends of the grid");
    v.field("settle_instructions", settle_instructions, {0, 1LL << 40},
            "warp-instructions of an SM, and a wave of CTAs at least, at the beginning of a launch from which no rates "
            "are taken");
    v.field("warm_up_waves", warm_up_waves, {0, 100},
            "waves (CTAs that the SMs hold at once) at each place that run before its rates are taken");
    v.field("window_waves", window_waves, {0.01, 100}, "waves at each place over which its rates are taken");
    v.field("launches", launches, {1, 100000},
            "launches that are timed at least of those that are alike (kernel, grid, block, about as many "
            "instructions and written bytes); of further ones the 4th, 8th, 16th and so on");
    v.field("threads", threads, {1, 256}, "threads that execute CTAs untimed (same results)");
  }
};

}  // namespace heddle::run
