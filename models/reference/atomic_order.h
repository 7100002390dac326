#pragma once

// Names atomics whose order affects the results of a launch, which hardware does not promise: atomics on one
// word by different warps that pass the old value on to another instruction, or that do not commute:
// exchanges, and sums of floats, whose rounding depends on the order. Commuting atomics on integers with an
// unused old value are not reported.

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
  /// The first atomic on a word.
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
  std::vector<bool> read_;  ///< by register word: an instruction of the program reads it
  Words global_;
  std::map<std::uint64_t, Words> shared_;  ///< by CTA
};

}  // namespace heddle::reference
