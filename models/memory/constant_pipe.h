#pragma once

// Models the part of the load/store unit that loads constants and kernel parameters from addresses in
// registers. This pipe executes one instruction at a time. Per cycle, it serves one address, or one block of
// addresses if block_bytes is set.

#include <algorithm>
#include <map>

#include "models/core/stats.h"
#include "models/memory/constant_memory.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/warp_addresses.h"
#include "models/ports/in_flight.h"

namespace heddle {

class ConstantPipe {
 public:
  /// `delay`: cycles from the start of a load with one address to the unit's output. `parameters`:
  /// block_bytes, the size of a block of addresses that the pipe serves in one cycle; first_miss_cycles,
  /// additional cycles of the first load from each block of kBlockBytes bytes.
  ConstantPipe(Cycle delay, const ConstantMemoryParameters& parameters, const StatsScope& stats)
      : delay_(delay),
        first_miss_(static_cast<Cycle>(parameters.first_miss_cycles)),
        together_(static_cast<std::uint64_t>(std::max(1, parameters.block_bytes))),
        accesses_(stats.add("constant_accesses", "warp-instructions",
                            "loads of constants and parameters by address")),
        addresses_(stats.add("constant_addresses", "accesses", "different addresses of these")) {}

  ConstantMemory& memory() { return memory_; }
  Cycle free_from() const { return free_from_; }
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  static constexpr std::uint64_t kBlockBytes = 64;
  /// Returns the number of cycles from `now` until the constant cache holds the block of kBlockBytes that
  /// contains `address`.
  Cycle wait_for(std::uint64_t address, Cycle now);

  Cycle delay_, first_miss_;
  std::uint64_t together_;                   ///< size in bytes of the block that one cycle serves
  std::map<std::uint64_t, Cycle> arrivals_;  ///< cycle in which each block of kBlockBytes arrives
  ConstantMemory memory_;
  Cycle free_from_ = 0;
  Counter &accesses_, &addresses_;
};

}  // namespace heddle
