#pragma once

// A life event of an SM, sent through a tlm_analysis_port to observers outside of the SM (profiles,
// timelines, waveforms). Observers must not change the model. Modules in the SM subscribe to the channel that
// produces the events (life_channel.h).

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
  std::uint32_t cta = 0;  ///< linear index in the grid
  std::uint32_t pc = 0;   ///< index of the instruction
  LaneMask mask = 0;      ///< lanes that execute the instruction
  std::uint64_t uid = 0;  ///< issue number, the same for all events of an instruction
  const isa::Instruction* instruction = nullptr;
  const InFlight* item = nullptr;  ///< record of the instruction, valid during the call
  RegId reg{};                     ///< register of the event `released`
};

}  // namespace heddle
