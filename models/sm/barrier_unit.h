#pragma once

// Models the 16 named barriers of every resident CTA. It counts whole warps, as hardware before Volta does: a
// warp arrives once for every execution of the instruction. Exited warps count as arrived at a barrier for
// all warps of the CTA.

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
  /// A warp of the CTA has exited, so barriers for all warps may complete. Returns the released warps.
  std::uint64_t warp_exits(CtaSlot slot);

  struct Arrival {
    const WarpContext* context = nullptr;
    const isa::Instruction* instruction = nullptr;
    std::uint32_t number = 0;
    std::uint32_t threads = 0;  ///< number of expected threads; 0: all warps of the CTA
    LaneMask mask = 0;          ///< lanes that execute the instruction
    LaneMask predicate = 0;     ///< lanes whose predicate holds, for a reduction
    bool waits = true;          ///< false for bar.arrive
  };
  /// Returns the warps that this arrival releases, the arriving warp included if it waits; 0 if none. Throws
  /// Error for an invalid number or count, or if they contradict earlier arrivals at the barrier.
  std::uint64_t arrive(const Arrival& arrival);

  /// Result of the last completed reduction at this barrier: the number of lanes whose predicate held, and
  /// the number of lanes that took part.
  struct Reduction {
    std::uint32_t votes = 0, lanes = 0;
  };
  Reduction reduction(CtaSlot slot, std::uint32_t number) const;

  /// Returns "barrier 0: 3 of 8 warps have arrived" for every barrier at which warps of the CTA have arrived.
  std::string describe(CtaSlot slot) const;
  bool all_wait(CtaSlot slot) const;  ///< true if every warp of the CTA that has not exited waits

 private:
  struct Barrier {
    std::uint32_t expected = 0;  ///< number of warps; 0: no arrival yet
    bool for_all = false;
    std::uint32_t arrived = 0;
    std::uint64_t waiting = 0;  ///< by warp slot
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
