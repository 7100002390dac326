#pragma once

// The 16 named barriers of every resident CTA. Counts whole warps, as hardware before Volta does: a warp
// arrives once for every execution; exited warps count as arrived at a barrier for all warps of the CTA.

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
  /// A warp of the CTA has exited: barriers for all warps may complete. Returns the warps released.
  std::uint64_t warp_exits(CtaSlot slot);

  struct Arrival {
    const WarpContext* context = nullptr;
    const isa::Instruction* instruction = nullptr;
    std::uint32_t number = 0;
    std::uint32_t threads = 0;  ///< 0: all warps of the CTA
    LaneMask mask = 0;          ///< lanes that execute
    LaneMask predicate = 0;     ///< of a reduction
    bool waits = true;          ///< false for bar.arrive
  };
  /// Returns the warps that are released by this arrival (with the arriving one, if it waits); 0 if none.
  /// Throws Error for a number or count that cannot be, or that contradicts the earlier arrivals.
  std::uint64_t arrive(const Arrival& arrival);

  /// Result of the last completed reduction at this barrier: lanes whose predicate held, and lanes that took
  /// part.
  struct Reduction {
    std::uint32_t votes = 0, lanes = 0;
  };
  Reduction reduction(CtaSlot slot, std::uint32_t number) const;

  /// "barrier 0: 3 of 8 warps have arrived" for every barrier of the CTA with waiting warps.
  std::string describe(CtaSlot slot) const;
  bool all_wait(CtaSlot slot) const;  ///< every warp of the CTA that has not exited waits

 private:
  struct Barrier {
    std::uint32_t expected = 0;  ///< warps; 0 = no arrival yet
    bool for_all = false;
    std::uint32_t arrived = 0;
    std::uint64_t waiting = 0;  ///< warp slots
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
