#pragma once

// Reports accesses to the heap of malloc in kernels outside of the bytes that malloc returned, and after free.
// An access of other memory outside of its allocation ends a run without this check, too.

#include "models/reference/device_heap.h"
#include "models/reference/findings.h"

namespace heddle::reference {

class HeapCheck : public Observer {
 public:
  /// `heap` receives every call before this check does.
  HeapCheck(Findings& findings, DeviceHeap& heap) : findings_(findings), heap_(heap) {}
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  std::string fault(std::uint64_t address, std::uint64_t bytes);

  Findings& findings_;
  DeviceHeap& heap_;
};

}  // namespace heddle::reference
