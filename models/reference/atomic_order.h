#pragma once

// Reports atomic operations whose order can affect the results of a launch, because hardware does not
// guarantee an order. Atomic operations of different warps on the same word are reported in two cases: an
// instruction uses the old value, or the operations do not commute. Exchanges do not commute, and neither do
// sums of floats, because rounding depends on the order. Integer operations that commute and whose old value
// is unused are not reported.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/reference/findings.h"
#include "models/reference/reference.h"

namespace heddle::reference {

class AtomicOrder : public Observer {
 public:
  explicit AtomicOrder(Findings& findings) : findings_(findings) {}
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  /// First atomic operation of the launch on a word of memory.
  struct First {
    std::uint64_t cta = 0;
    std::uint32_t warp = 0, pc = 0;
  };
  using Words = std::unordered_map<std::uint64_t, First>;
  void begin(const isa::KernelLaunch& launch);
  const char* why(const isa::Instruction& i) const;

  Findings& findings_;
  const isa::KernelLaunch* launch_ = nullptr;
  KernelId id_{};
  std::vector<bool> read_;  ///< for each register word: true if an instruction of the program reads it
  Words global_;
  std::map<std::uint64_t, Words> shared_;  ///< atomic operations on shared memory, by CTA
};

}  // namespace heddle::reference
