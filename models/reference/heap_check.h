#pragma once

// Reports accesses of kernels to bytes of the heap that malloc has not returned, or that were freed.

#include "models/reference/device_heap.h"
#include "models/reference/findings.h"

namespace heddle::reference {

class HeapCheck : public Observer {
 public:
  /// Creates a check that gets the blocks of malloc from `heap`. The caller must pass each event of the run
  /// to `heap` before it passes the event to this check.
  HeapCheck(Findings& findings, DeviceHeap& heap) : findings_(findings), heap_(heap) {}
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  std::string fault(std::uint64_t address, std::uint64_t bytes);

  Findings& findings_;
  DeviceHeap& heap_;
};

}  // namespace heddle::reference
