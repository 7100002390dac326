#pragma once

// Reports atomics whose order can affect the results of a launch; hardware does not guarantee an order.
// Reported are atomics of different warps on one word if an instruction uses the old value, or if they do not
// commute. Exchanges and sums of floats do not commute (the rounding depends on the order). Integer atomics
// that commute and whose old value is unused are not reported, nor atomics that a barrier or a published word
// orders (happens_before.h).

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/reference/findings.h"
#include "models/reference/happens_before.h"

namespace heddle::reference {

class AtomicOrder : public Observer {
 public:
  /// `order` receives every call before this check does.
  AtomicOrder(Findings& findings, HappensBefore& order) : findings_(findings), order_(order) {}
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
  /// First of the atomics on a word that nothing orders.
  struct First {
    std::uint64_t cta = 0;
    std::uint32_t warp = 0, epoch = 0, pc = 0;
  };
  using Words = std::unordered_map<std::uint64_t, First>;
  void begin(const isa::KernelLaunch& launch);
  const char* why(const isa::Instruction& i) const;
  const char* why(const isa::Instruction& earlier, const isa::Instruction& later) const;

  Findings& findings_;
  HappensBefore& order_;
  std::uint64_t launches_ = 0;
  std::vector<bool> read_;  ///< by register word: true if an instruction reads it
  Words global_;
  std::map<std::uint64_t, Words> shared_;  ///< atomic operations on shared memory, by CTA
};

}  // namespace heddle::reference
