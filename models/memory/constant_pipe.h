#pragma once

// Part of the load/store unit that loads constants and kernel parameters by address. It executes one
// instruction at a time, and one address per cycle.

#include "models/core/stats.h"
#include "models/memory/constant_memory.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

class ConstantPipe {
 public:
  /// `delay`: cycles from the start of a load with one address to the unit's output.
  ConstantPipe(Cycle delay, const StatsScope& stats)
      : delay_(delay),
        accesses_(stats.add("constant_accesses", "warp-instructions",
                            "loads of constants and parameters by address")),
        addresses_(stats.add("constant_addresses", "accesses", "different addresses of these")) {}

  ConstantMemory& memory() { return memory_; }
  Cycle free_from() const { return free_from_; }
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  Cycle delay_;
  ConstantMemory memory_;
  Cycle free_from_ = 0;
  Counter &accesses_, &addresses_;
};

}  // namespace heddle
