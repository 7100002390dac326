#pragma once

// Life event of a kernel, CTA, warp or instruction. An SM sends the event through a tlm_analysis_port to
// observers outside the SM (profiles, timelines, waveforms). Observers must not change the model.

#include <cstdint>

#include "models/ports/i_life_listener.h"

namespace heddle {

struct LifeEvent {
  Life what = Life::issued;
  Cycle cycle = 0;
  SmId sm{};
  KernelId kernel{};
  WarpId warp{};
  CtaSlot cta_slot{};
  std::uint32_t cta = 0;
  std::uint32_t pc = 0;
  LaneMask mask = 0;
  /// For the events `fetched` and `issued`: number of redirects (branches) of the warp before the fetch of
  /// the instruction.
  std::uint32_t epoch = 0;
  Cycle ready = 0;  ///< for the event `fetched`: first cycle in which the instruction may issue
  /// Sequence number that the instruction gets at issue. Not set in the event `fetched`, which precedes the
  /// issue.
  std::uint64_t uid = 0;
  const isa::Instruction* instruction = nullptr;
  const InFlight* item = nullptr;  ///< record of the instruction; valid only during the call
  RegId reg{};
};

}  // namespace heddle
