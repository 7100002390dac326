#pragma once

// Sends life events of an SM (begin and end of warps, steps of instructions) to its TLM analysis port.
// Back-end events are sorted by cycle.

#include <tlm>
#include <vector>

#include "models/ports/life_channel.h"
#include "models/ports/life_event.h"
#include "models/sm/issue_stage.h"

namespace heddle {

class LifeOutlet final : public LifeListener {
 public:
  LifeOutlet(tlm::tlm_analysis_port<LifeEvent>& port, SmId sm, const IssueStage& issue, int cta_slots)
      : port_(port), sm_(sm), issue_(issue), ctas_(static_cast<std::size_t>(cta_slots)) {}

  void kernel_begins(const KernelBegins& kernel) override {
    kernel_ = kernel.kernel;
    write(event_of(Life::kernel_begins, kernel.cycle));
  }
  void cta_begins(const CtaBegins& cta) override {
    ctas_[cta.slot.value] = cta.cta;
    write_cta(Life::cta_begins, cta.slot);
  }
  void cta_ends(CtaSlot slot) override { write_cta(Life::cta_ends, slot); }
  void warp_begins(const WarpBegins& warp) override { write(event_of(Life::warp_begins, warp.warp)); }
  void warp_gone(WarpId warp) override { write(event_of(Life::warp_gone, warp)); }
  void warp_ends(WarpId warp) override { write(event_of(Life::warp_ends, warp)); }
  void fetched(WarpId warp, const DecodedInstruction& run) override;
  void issued(const InFlight& item) override { write_step(Life::issued, item); }
  void prepared(const InFlight& item) override { write_step(Life::prepared, item); }
  void reads_held(const InFlight& item) override { write_step(Life::reads_held, item); }
  void dispatched(const InFlight& item) override { write_step(Life::dispatched, item); }
  void left(const InFlight& item) override { write_step(Life::left, item); }
  void completed(const InFlight& item) override { write_step(Life::completed, item); }
  void register_released(WarpId warp, RegId reg) override {
    LifeEvent event = event_of(Life::released, warp);
    event.reg = reg;
    write(event);
  }

 private:
  LifeEvent event_of(Life what, Cycle cycle) const {
    LifeEvent event;
    event.what = what;
    event.cycle = cycle;
    event.sm = sm_;
    event.kernel = kernel_;
    return event;
  }
  LifeEvent event_of(Life what, WarpId warp) const {
    LifeEvent event = event_of(what, issue_.clock().now());
    const WarpContext& context = issue_.warp(warp).context;
    event.kernel = context.launch->id;
    event.warp = warp;
    event.cta_slot = context.cta_slot;
    event.cta = context.cta;
    return event;
  }
  void write_cta(Life what, CtaSlot slot) {
    LifeEvent event = event_of(what, issue_.clock().now());
    event.cta_slot = slot;
    event.cta = ctas_[slot.value];
    write(event);
  }
  void write_step(Life what, const InFlight& item) {
    if (issue_.warp(item.warp()).kernel->is_outside(item.pc)) return;
    LifeEvent event = event_of(what, item.warp());
    event.pc = item.pc;
    event.mask = item.mask;
    event.epoch = issue_.fetch_epoch(item.warp());
    event.uid = item.uid;
    event.instruction = item.instruction;
    event.item = &item;
    write(event);
  }
  void write(const LifeEvent& event) { port_.write(event); }

  tlm::tlm_analysis_port<LifeEvent>& port_;
  SmId sm_;
  const IssueStage& issue_;
  KernelId kernel_{};
  std::vector<std::uint32_t> ctas_;
};

inline void LifeOutlet::fetched(WarpId warp, const DecodedInstruction& run) {
  const LoadedKernel& kernel = *issue_.warp(warp).kernel;
  LifeEvent event = event_of(Life::fetched, warp);
  event.epoch = run.epoch;
  event.ready = run.ready;
  for (event.pc = run.pc; event.pc != run.pc + run.count; ++event.pc) {
    if (kernel.is_outside(event.pc)) continue;
    event.instruction = &kernel.program().code[event.pc];
    write(event);
  }
}

}  // namespace heddle
