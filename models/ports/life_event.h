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
  /// For fetched and issued: number of redirects of the warp before the instruction was fetched. An
  /// instruction issues with the epoch with which it was fetched.
  std::uint32_t epoch = 0;
  Cycle ready = 0;  ///< for fetched: first cycle in which the instruction may issue
  /// Sequence number of the instruction at issue. All events of an instruction have the same number, except
  /// fetched, which has none.
  std::uint64_t uid = 0;
  const isa::Instruction* instruction = nullptr;
  const InFlight* item = nullptr;  ///< record of the instruction; valid only during the call
  RegId reg{};                     ///< register that the event `released` refers to
};

}  // namespace heddle
