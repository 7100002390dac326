#pragma once

// Models the part of the load/store unit that accesses shared memory. This pipe executes one instruction at a
// time, in as many passes as the banks need.

#include <utility>

#include "models/core/stats.h"
#include "models/memory/bank_conflicts.h"
#include "models/memory/load_store_parameters.h"
#include "models/memory/shared_memory.h"
#include "models/ports/in_flight.h"

namespace heddle {

class SharedPipe {
 public:
  /// `delay`: cycles from the start of a load without bank conflicts (one pass) until the load leaves the
  /// unit. Throws Error for an unsupported bank width.
  SharedPipe(const LoadStoreParameters& parameters, int cta_slots, Cycle delay, const StatsScope& stats);

  SharedMemory& memory() { return memory_; }
  Cycle free_from() const { return free_from_; }
  /// Executes the access of `lanes` to shared memory. Returns the cycle in which the instruction is complete.
  Cycle run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);
  /// Writes to shared memory the bytes that `lanes` of an asynchronous copy have read. `bytes`:
  /// kMostCopyBytes bytes for each lane.
  void land(const InFlight& copy, const WarpAddresses& addresses, LaneMask lanes, const std::uint8_t* bytes,
            Cycle now);
  /// Executes cp.async.mbarrier.arrive for `lanes`: each lane arrives at its mbarrier. Called when the copies
  /// of these lanes are complete.
  void arrive(const InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);
  /// For an mbarrier.try_wait: returns true if the awaited mbarrier phase is complete for each of `lanes`.
  bool phases_over(const InFlight& item, const WarpAddresses& addresses, LaneMask lanes);
  /// For an mbarrier.try_wait: ends the wait of `lanes`. Returns the cycle in which the result is complete.
  Cycle finish_wait(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now);
  /// Returns true if an mbarrier has changed since the previous call.
  bool take_mbarrier_change() { return std::exchange(mbarrier_changed_, false); }

 private:
  void move_matrices(InFlight& item, const WarpAddresses& addresses);
  void atomics(InFlight& item, const WarpAddresses& addresses, LaneMask lanes);
  std::uint64_t apply_mbarrier(const InFlight& item, int lane, std::uint64_t address, isa::AtomicOp op,
                               std::uint64_t count);
  void occupy(const BankUse& use, Cycle now);

  Cycle delay_, replay_cycles_;
  unsigned atomic_pass_cycles_;
  SharedMemory memory_;
  BankConflicts banks_;
  Cycle free_from_ = 0;
  bool mbarrier_changed_ = false;
  Counter &accesses_, &passes_, &conflicts_, &reads_, &writes_;
};

}  // namespace heddle
