#pragma once

// Accesses of the load/store unit that may complete after later instructions of their warp: asynchronous
// copies, arrivals at an mbarrier after copies (cp.async.mbarrier.arrive), and waits for a phase of an
// mbarrier.

#include "models/memory/copy_arrivals.h"
#include "models/memory/copy_landings.h"
#include "models/memory/global_pipe.h"
#include "models/memory/mbarrier_waits.h"

namespace heddle {

class AsyncAccesses {
 public:
  AsyncAccesses(AddressPatterns& patterns, SharedPipe& shared, GlobalPipe& global)
      : patterns_(patterns),
        shared_(shared),
        global_(global),
        landings_(patterns, shared),
        arrivals_(shared),
        waits_(shared) {}

  bool any() const { return !landings_.empty() || !arrivals_.empty() || !waits_.empty(); }

  /// Checks an asynchronous copy and stores its global addresses in `copy`. Returns the lanes that read
  /// global memory.
  RoutedLanes check(MemoryOperation& copy, const MemoryImage* image, const ConstantMemory& constants);
  /// Sends an asynchronous copy to the global pipe, which must be able to take it. Call check() before.
  /// `reading`: lanes that read global memory; the other lanes of the copy write zeros to shared memory.
  void start(MemoryOperation& copy, LaneMask reading, Cycle now);
  void bytes_arrived(MemoryOperation& copy, LaneMask lanes, const std::uint8_t* bytes, std::uint64_t origin,
                     Cycle due) {
    landings_.add(copy, lanes, bytes, origin, due);
  }
  /// Called when all bytes of a memory operation have arrived. Returns false if the operation is not an
  /// asynchronous copy.
  bool completed(const MemoryOperation& operation) {
    if (operation.kind != MemoryOperation::Kind::copy) return false;
    arrivals_.completed(*operation.item);
    return true;
  }
  /// If an mbarrier instruction must wait, returns true, and keeps the instruction in the load/store unit
  /// until the wait has ended. Otherwise returns false.
  bool keeps(InFlight& item, int partition, const WarpAddresses& addresses, Cycle now);

  /// Writes the arrived bytes of copies to shared memory. Then performs the mbarrier arrivals of lanes whose
  /// copies are complete. Calls leave(item, partition, due) for each instruction that is complete after this
  /// step.
  template <class Leave>
  void land(Cycle now, Leave&& leave) {
    if (MemoryOperation* const copy = landings_.step(now)) global_.landed(*copy, now);
    if (const CopyArrivals::Arrival done = arrivals_.step(now); done.item)
      leave(done.item, done.partition, now + 1);
  }
  template <class Leave>
  void end_waits(Cycle now, Leave&& leave) {
    waits_.step(now, leave);
  }
  Cycle next(Cycle now) const;

 private:
  AddressPatterns& patterns_;
  SharedPipe& shared_;
  GlobalPipe& global_;
  CopyLandings landings_;
  CopyArrivals arrivals_;
  MbarrierWaits waits_;
};

}  // namespace heddle
