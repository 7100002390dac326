#pragma once

// Reports atomics whose order can affect the results of a launch, because hardware does not guarantee the
// order. The check compares two atomics of different warps on one word. It reports the two atomics if an
// instruction uses the old value that one of them returns, or if their operations do not commute (exchanges,
// sums of floats). It does not report them if a barrier, or a fence with a later write, orders them.

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
  /// Creates a check that gets the order of accesses from `order`. The caller must pass each event of the run
  /// to `order` before it passes the event to this check.
  AtomicOrder(Findings& findings, HappensBefore& order) : findings_(findings), order_(order) {}
  void accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) override;

 private:
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
  std::vector<bool> read_;
  Words global_;
  std::map<std::uint64_t, Words> shared_;
};

}  // namespace heddle::reference
