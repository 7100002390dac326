#pragma once

// The accesses of a load/store unit to shared memory: one instruction at a time, as many passes as its banks need.

#include "models/core/stats.h"
#include "models/memory/bank_conflicts.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/shared_memory.h"
#include "models/ports/in_flight.h"

namespace heddle {

class SharedPipe {
 public:
  /// `delay`: cycles of a load of one pass until it is on the unit's output. Throws Error for a width that is no bank's.
  SharedPipe(const LoadStoreParameters& parameters, int cta_slots, Cycle delay, const StatsScope& stats);

  SharedMemory& memory() { return memory_; }
  /// The first cycle in which it takes an instruction.
  Cycle free_from() const { return free_from_; }
  /// Executes lanes of an instruction; the cycle in which they are done.
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  void atomics(InFlight& item, const WarpAddresses& addresses, LaneMask lanes);

  Cycle delay_, replay_cycles_;
  unsigned atomic_pass_cycles_;
  SharedMemory memory_;
  BankConflicts banks_;
  Cycle free_from_ = 0;
  Counter &accesses_, &passes_, &conflicts_, &reads_, &writes_;
};

}  // namespace heddle
