#pragma once

// Executes cp.async.mbarrier.arrive: a lane arrives at its mbarrier when all asynchronous copies that the
// lane started before this instruction are in shared memory. In each cycle in which the banks are free, the
// ready lanes of one instruction arrive.

#include <utility>
#include <vector>

#include "models/memory/shared_pipe.h"

namespace heddle {

class CopyArrivals {
 public:
  struct Arrival {
    InFlight* item = nullptr;
    int partition = 0;
  };

  explicit CopyArrivals(SharedPipe& shared) : shared_(shared) {}

  void began(const InFlight& copy) { open_.push_back(&copy); }
  void completed(const InFlight& copy);
  void add(Arrival arrival, const WarpAddresses& addresses);
  /// True if a waiting instruction has lanes whose copies are all complete. These lanes arrive as soon as the
  /// banks are free.
  bool ready() const;
  bool empty() const { return waiting_.empty(); }
  /// Takes one waiting instruction. Lanes of this instruction arrive at their mbarriers if all their copies are
  /// complete. Returns the instruction if all its lanes have now arrived.
  Arrival step(Cycle now);

 private:
  struct Waiting {
    Arrival arrival;
    WarpAddresses addresses;
    LaneMask left = 0;
    std::vector<const InFlight*> copies;
    LaneMask free_lanes() const;
  };

  SharedPipe& shared_;
  std::vector<const InFlight*> open_;
  std::vector<Waiting> waiting_;
};

}  // namespace heddle
