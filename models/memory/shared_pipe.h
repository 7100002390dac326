#pragma once

// Part of the load/store unit that accesses shared memory. It executes one instruction at a time, in as many
// passes as the banks need.

#include "models/core/stats.h"
#include "models/memory/bank_conflicts.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/shared_memory.h"
#include "models/ports/in_flight.h"

namespace heddle {

class SharedPipe {
 public:
  /// `delay`: cycles from the start of a load with one pass to the unit's output. Throws Error for an
  /// unsupported bank width.
  SharedPipe(const LoadStoreParameters& parameters, int cta_slots, Cycle delay, const StatsScope& stats);

  SharedMemory& memory() { return memory_; }
  Cycle free_from() const { return free_from_; }
  /// Executes the given lanes of an access to shared memory. Returns the cycle in which these lanes are
  /// complete.
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);

 private:
  void move_matrices(InFlight& item, const WarpAddresses& addresses);
  void atomics(InFlight& item, const WarpAddresses& addresses, LaneMask lanes);

  Cycle delay_, replay_cycles_;
  unsigned atomic_pass_cycles_;
  SharedMemory memory_;
  BankConflicts banks_;
  Cycle free_from_ = 0;
  Counter &accesses_, &passes_, &conflicts_, &reads_, &writes_;
};

}  // namespace heddle
