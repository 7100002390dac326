#pragma once

// Sends the life-cycle events of warps and instructions to whoever observes the SM.

#include <tlm>

#include "models/ports/life_event.h"
#include "models/sm/warp_state.h"

namespace heddle {

class LifePublisher {
 public:
  LifePublisher(tlm::tlm_analysis_port<LifeEvent>& port, SmId sm) : port_(port), sm_(sm) {}

  /// Without observers nothing is sent (it costs time), and never of what is none of the program's own.
  void observe(LifeEvents which) {
    observed_ = true;
    observes_instructions_ |= which == LifeEvents::all;
  }
  bool observed() const { return observed_; }

  void warp(LifeEvent::Kind kind, Cycle now, const WarpState& warp, SchedulerId scheduler) {
    if (observed_) port_.write(event_of(kind, now, warp, scheduler));
  }
  void instruction(LifeEvent::Kind kind, Cycle now, const WarpState& warp, SchedulerId scheduler,
                   std::uint32_t pc, LaneMask mask, std::uint64_t uid, const isa::Instruction& instruction,
                   const InFlight* item = nullptr) {
    if (!observes_instructions_ || warp.kernel->stands_beside(pc)) return;
    LifeEvent event = event_of(kind, now, warp, scheduler);
    event.pc = pc;
    event.mask = mask;
    event.uid = uid;
    event.instruction = &instruction;
    event.item = item;
    port_.write(event);
  }

 private:
  LifeEvent event_of(LifeEvent::Kind kind, Cycle now, const WarpState& warp, SchedulerId scheduler) const {
    LifeEvent event;
    event.kind = kind;
    event.cycle = now;
    event.sm = sm_;
    event.kernel = warp.context.launch->id;
    event.warp = warp.context.warp;
    event.cta_slot = warp.context.cta_slot;
    event.cta = warp.context.cta;
    event.scheduler = scheduler;
    return event;
  }

  tlm::tlm_analysis_port<LifeEvent>& port_;
  SmId sm_;
  bool observed_ = false, observes_instructions_ = false;
};

}  // namespace heddle
