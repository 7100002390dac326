#pragma once

// The 16 named barriers of one CTA. They count warps (README.md).

#include <array>
#include <cstdint>
#include <string>

#include "models/core/lanes.h"
#include "models/isa/instruction.h"

namespace heddle::reference {

class BarrierSet {
 public:
  static constexpr int kBarriers = 16;

  /// Arrival of one warp at a barrier.
  struct Arrival {
    std::uint32_t warp = 0;
    std::uint32_t barrier = 0;
    std::uint32_t threads = 0;  ///< 0 = all of the CTA
    isa::BarrierKind kind = isa::BarrierKind::sync;
    LaneMask executing = 0;
    LaneMask predicate = 0;  ///< of bar.red
  };

  /// A completed barrier: the warps to release, and the results of a reduction.
  struct Completion {
    std::uint32_t barrier = 0;
    std::uint32_t waiting = 0;  ///< bit a warp
    std::uint32_t popc = 0;
    bool all = true;
    bool any = false;
  };

  explicit BarrierSet(std::uint32_t warps = 0) : warps_(warps) {}

  /// True if this arrival completes the barrier; `done` then lists the warps to release. Throws Error
  /// (without a place) for an invalid barrier number, thread count or combination.
  bool arrive(const Arrival& arrival, Completion& done);

  /// `warp` has exited; true if that completes a barrier. Call again until false.
  bool exited(std::uint32_t warp, Completion& done);

  /// "barrier 1 has 2 of 4 warps" for each barrier with waiting warps.
  std::string describe() const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // warps; 0 = no arrival yet
    std::uint32_t arrivals = 0;
    std::uint32_t arrived = 0;  // bit a warp
    Completion result;
  };
  bool complete(std::uint32_t index, Completion& done);

  std::uint32_t warps_;
  std::uint32_t exited_ = 0;
  std::array<Barrier, kBarriers> barriers_{};
};

}  // namespace heddle::reference
