#pragma once

// The 16 named barriers of one CTA. Barriers count warps, not threads (docs/reference.md).

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
    std::uint32_t threads = 0;  ///< expected threads; 0 = all threads of the CTA
    isa::BarrierKind kind = isa::BarrierKind::sync;
    LaneMask executing = 0;
    LaneMask predicate = 0;  ///< predicate source of bar.red
  };

  /// A completed barrier: the warps to release and the results of a reduction.
  struct Completion {
    std::uint32_t barrier = 0;
    std::uint32_t waiting = 0;  ///< bit mask of warps
    std::uint32_t popc = 0;
    bool all = true;
    bool any = false;
  };

  explicit BarrierSet(std::uint32_t warps = 0) : warps_(warps) {}

  /// Returns true if this arrival completes the barrier; `done` then contains the warps to release. Throws
  /// Error (without a location) for an invalid barrier number, thread count or combination of both.
  bool arrive(const Arrival& arrival, Completion& done);

  /// Records the exit of a warp. Returns true if it completes a barrier; call again until it returns false.
  bool exited(std::uint32_t warp, Completion& done);

  /// Returns a text such as "barrier 1 has 2 of 4 warps" for each barrier with waiting warps.
  std::string describe() const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // number of warps; 0 = no arrival yet
    bool for_all = false;        // no arrival has named a thread count
    std::uint32_t arrivals = 0;
    std::uint32_t arrived = 0;  // bit mask of warps
    Completion result;
  };
  bool complete(std::uint32_t index, Completion& done);

  std::uint32_t warps_;
  std::uint32_t exited_ = 0;
  std::array<Barrier, kBarriers> barriers_{};
};

}  // namespace heddle::reference
