#pragma once

// The accesses of a load/store unit to constants and parameters by address: one instruction at a time, one address a cycle.

#include "models/core/stats.h"
#include "models/memory/constant_memory.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

class ConstantPipe {
 public:
  /// `delay`: cycles of a load of one address until it is on the unit's output.
  ConstantPipe(Cycle delay, const StatsScope& stats)
      : delay_(delay),
        accesses_(stats.add("constant_accesses", "warp-instructions",
                            "loads of constants and parameters by address")),
        addresses_(stats.add("constant_addresses", "accesses", "different addresses of these")) {}

  ConstantMemory& memory() { return memory_; }
  /// The first cycle in which it takes an instruction.
  Cycle free_from() const { return free_from_; }
  /// Executes lanes of an instruction; the cycle in which they are done.
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  Cycle delay_;
  ConstantMemory memory_;
  Cycle free_from_ = 0;
  Counter &accesses_, &addresses_;
};

}  // namespace heddle
