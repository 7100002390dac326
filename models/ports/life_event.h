#pragma once

// Life-cycle events of an SM, sent through a tlm_analysis_port. Passive observers (profiles, timelines, waveforms,
// later techniques) subscribe; they must not change the model.

#include <cstdint>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/instruction.h"
#include "models/ports/in_flight.h"

namespace heddle {

struct LifeEvent {
  enum class Kind : std::uint8_t {
    kernel_begins,
    cta_placed,
    cta_ended,
    warp_started,
    warp_ended,
    warp_activated,
    warp_descheduled,  ///< took, gave up an active slot of its scheduler
    issued,
    dispatched,
    completed,
    barrier_wait,
    barrier_release,
  };
  Kind kind = Kind::issued;
  Cycle cycle = 0;
  SmId sm{};
  KernelId kernel{};
  WarpId warp{};
  CtaSlot cta_slot{};
  std::uint32_t cta = 0;  ///< linear index in the grid
  SchedulerId scheduler{};
  std::uint32_t pc = 0;   ///< of an instruction event
  LaneMask mask = 0;      ///< lanes that execute it
  std::uint64_t uid = 0;  ///< issue number, the same for issued, dispatched and completed
  const isa::Instruction* instruction = nullptr;
  const InFlight* item = nullptr;  ///< dispatched, completed: the record, valid during the call
};

/// What a subscriber hears: those of instructions (issued, dispatched, completed) cost the most time.
enum class LifeEvents : std::uint8_t { of_warps, all };

}  // namespace heddle
