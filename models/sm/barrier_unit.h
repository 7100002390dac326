#pragma once

// Models the 16 named barriers of every resident CTA. As in hardware before Volta, a barrier counts whole
// warps, not threads. A warp arrives once each time it executes the barrier instruction. At a barrier for all
// warps of the CTA, exited warps count as arrived.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/ports/in_flight.h"

namespace heddle {

class BarrierUnit {
 public:
  static constexpr std::uint32_t kBarriers = 16;

  explicit BarrierUnit(int cta_slots) : ctas_(static_cast<std::size_t>(cta_slots)) {}

  void cta_begins(CtaSlot slot, std::uint32_t warps);
  /// Handles the exit of a warp, which may complete barriers. Returns the warps that these barriers release.
  std::uint64_t warp_exits(CtaSlot slot);

  struct Arrival {
    const WarpContext* context = nullptr;
    const isa::Instruction* instruction = nullptr;
    std::uint32_t number = 0;
    std::uint32_t threads = 0;  ///< number of expected threads; 0 means all warps of the CTA
    LaneMask mask = 0;
    LaneMask predicate = 0;
    bool waits = true;  ///< false for bar.arrive, which does not wait
  };
  /// Records the arrival of a warp at a barrier. If the arrival completes the barrier, returns the warps that
  /// the barrier releases, otherwise 0. Throws Error if the barrier number or the thread count is invalid or
  /// contradicts earlier arrivals at the barrier.
  std::uint64_t arrive(const Arrival& arrival);

  /// Result of the last reduction (bar.red) at a barrier. `votes`: number of lanes with a true predicate.
  /// `lanes`: number of lanes that took part.
  struct Reduction {
    std::uint32_t votes = 0, lanes = 0;
  };
  Reduction reduction(CtaSlot slot, std::uint32_t number) const;

  /// Returns a text on the barriers at which warps of the CTA wait: "barrier 0: 3 of 8 warps have arrived".
  std::string describe(CtaSlot slot) const;
  bool all_wait(CtaSlot slot) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;
    bool for_all = false;
    std::uint32_t arrived = 0;
    std::uint64_t waiting = 0;
    Reduction current, last;
  };
  struct Cta {
    std::uint32_t warps = 0, exited = 0;
    std::array<Barrier, kBarriers> barriers;
  };
  static std::uint64_t complete_if_met(Cta& cta, Barrier& barrier);
  std::vector<Cta> ctas_;
};

}  // namespace heddle
