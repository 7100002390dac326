#pragma once

// Counts reads of the padding around an allocation, which --lenient permits. Writes to the padding stay
// errors.

#include "models/reference/reference.h"
#include "testbench/program/device_memory.h"

namespace heddle::program {

class PaddingWatch : public reference::Observer {
 public:
  explicit PaddingWatch(const DeviceMemory& memory) : memory_(memory) {}
  void accessed(const reference::ExecutedInstruction& seen,
                std::span<const std::uint64_t, kLanes> addresses) override;
  std::uint64_t reads() const { return reads_; }

 private:
  const DeviceMemory& memory_;
  std::uint64_t reads_ = 0;
};

}  // namespace heddle::program
