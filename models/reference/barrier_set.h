#pragma once

// The 16 named barriers of one CTA. A barrier counts arrivals of warps, not of threads (docs/reference.md).

#include <array>
#include <cstdint>
#include <string>

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::reference {

class BarrierSet {
 public:
  static constexpr int kBarriers = 16;

  struct Arrival {
    std::uint32_t warp = 0;
    std::uint32_t barrier = 0;
    /// Number of threads that must arrive; 0: all threads of the CTA.
    std::uint32_t threads = 0;
    isa::BarrierKind kind = isa::BarrierKind::sync;
    LaneMask executing = 0;
    LaneMask predicate = 0;  ///< for bar.red: lanes in which the predicate operand is true
  };

  /// Result of a completed barrier: the waiting warps, which can now continue, and the results of a reduction
  /// (bar.red).
  struct Completion {
    std::uint32_t barrier = 0;
    std::uint32_t waiting = 0;
    std::uint32_t popc = 0;
    bool all = true;
    bool any = false;
  };

  explicit BarrierSet(std::uint32_t warps = 0) : warps_(warps) {}

  /// Records the arrival of a warp. If the arrival completes the barrier, returns true and sets `done`.
  /// Throws Error (without a location) for an invalid barrier number, and for a thread count that is invalid
  /// or differs from the count of earlier arrivals.
  bool arrive(const Arrival& arrival, Completion& done);

  /// Records the exit of a warp. If the exit completes a barrier, returns true and sets `done`. An exit can
  /// complete several barriers, so the caller must repeat the call until it returns false.
  bool exited(std::uint32_t warp, Completion& done);

  std::string describe() const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;
    // True: no arrival so far has a thread count. All warps of the CTA must then arrive, except warps that
    // have exited.
    bool for_all = false;
    std::uint32_t arrivals = 0;
    std::uint32_t arrived = 0;
    Completion result;
  };
  bool complete(std::uint32_t index, Completion& done);

  std::uint32_t warps_;
  std::uint32_t exited_ = 0;
  std::uint32_t awaited_ = 0;  ///< bit mask of the barriers at which warps have arrived
  std::array<Barrier, kBarriers> barriers_{};
};

}  // namespace heddle::reference
