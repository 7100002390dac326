#pragma once

// Life event of a kernel, CTA, warp or instruction, which an SM sends through a tlm_analysis_port to
// observers outside the SM (profiles, timelines, waveforms). Observers must not change the model. Modules
// inside the SM subscribe to the same events directly (life_channel.h).

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
  std::uint32_t cta = 0;  ///< linear index of the CTA in the grid
  std::uint32_t pc = 0;   ///< index of the instruction in the program
  LaneMask mask = 0;      ///< lanes that execute the instruction
  /// Sequence number of the instruction at issue; all events of one instruction have the same number.
  std::uint64_t uid = 0;
  const isa::Instruction* instruction = nullptr;
  const InFlight* item = nullptr;  ///< record of the instruction; valid only during the call
  RegId reg{};                     ///< register that the event `released` refers to
};

}  // namespace heddle
