#pragma once

// Path for loads of constants and parameters by address: one instruction at a time, one address per cycle.

#include "models/core/stats.h"
#include "models/memory/constant_memory.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

class ConstantPipe {
 public:
  /// `delay`: cycles until a load of one address is at the unit's output.
  ConstantPipe(Cycle delay, const StatsScope& stats)
      : delay_(delay),
        accesses_(stats.add("constant_accesses", "warp-instructions",
                            "loads of constants and parameters by address")),
        addresses_(stats.add("constant_addresses", "accesses", "different addresses of these")) {}

  ConstantMemory& memory() { return memory_; }
  /// Returns the first cycle in which the next instruction is accepted.
  Cycle free_from() const { return free_from_; }
  /// Executes the given lanes of an instruction. Returns the cycle in which they are complete.
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  Cycle delay_;
  ConstantMemory memory_;
  Cycle free_from_ = 0;
  Counter &accesses_, &addresses_;
};

}  // namespace heddle
