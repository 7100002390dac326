#include "models/sm/readiness.h"

#include "models/isa/release_flags.h"

namespace heddle {

Readiness::Readiness(const WarpTable& warps, InstructionBuffers& buffers, bool orders_writes)
    : warps_(warps),
      buffers_(buffers),
      read_hazards_(orders_writes ? 0 : ~std::uint64_t{0}),
      views_(static_cast<std::size_t>(warps.slots())),
      footprints_(views_.size()),
      heads_(views_.size()),
      seconds_(views_.size()) {}

void Readiness::begin(std::span<const InstructionFootprint> footprints) {
  for (const InstructionFootprint& f : footprints) looks_up_ = looks_up_ || f.texture;
}

void Readiness::started(WarpId warp, std::uint64_t age, CtaSlot cta) {
  views_[warp.value].age = age;
  views_[warp.value].cta = cta;
  touch(warp);
}

void Readiness::refresh() {
  dirty_ |= buffers_.take_arrivals() & ~sets_.has_instruction;
  changed_ = dirty_;
  just_drained_ = drained_;
  drained_ = 0;
  if (freed_) look_at_freed();
  freed_ = 0;
  if (!dirty_) return;
  sets_.keep(~dirty_);
  waits_for_reads_ &= ~dirty_;
  for (const WarpId warp : dirty_) look_at(warp);
  dirty_ = 0;
}

// Evaluates again the hazards of the warps whose pending reads or writes have ended. Adds to changed()
// the warps whose hazard or long-latency wait has begun or ended. In a kernel with texture look-ups, adds all
// evaluated warps, because the answer of any_waits_for_texture() may have changed too.
void Readiness::look_at_freed() {
  const WarpSet hazard = sets_.hazard, long_wait = sets_.long_wait;
  for (const WarpId warp : freed_ & ~dirty_) look_for_hazards(warp);
  changed_ |= looks_up_ ? freed_ : (hazard ^ sets_.hazard) | (long_wait ^ sets_.long_wait);
}

void Readiness::look_at(WarpId id) {
  const WarpProgress& warp = warps_.progress(id);
  const WarpSet bit = bit_of(id);
  if (!warps_.running().contains(id)) return;
  sets_.resident |= bit;
  if (warp.near_in_flight == 0) sets_.drained |= bit;
  if (warp.wait > WarpWait::switched_out) {
    (warp.wait == WarpWait::barrier ? sets_.at_barrier
     : warp.wait == WarpWait::fence ? sets_.at_fence
                                    : sets_.at_async) |= bit;
    return;
  }
  if (!buffers_.can_issue(id)) return;
  const DecodedInstruction& head = buffers_.of(id).front();
  const InstructionFootprint& footprint = warp.footprints[head.pc];
  WarpView& view = views_[id.value];
  sets_.has_instruction |= bit;
  view.unit = footprint.unit;
  view.op_class = footprint.op_class();
  view.active = warps_.state(id).simt.active();
  if (view.active == kAllLanes) sets_.full |= bit;
  heads_[id.value] = warp.code + head.pc;
  sets_.by_unit[static_cast<std::size_t>(footprint.unit)] |= bit;
  footprints_[id.value] = &footprint;
  look_for_hazards(id);
}

void Readiness::look_for_hazards(WarpId id) {
  const WarpProgress& warp = warps_.progress(id);
  const InstructionFootprint& footprint = *footprints_[id.value];
  const Scoreboard& scoreboard = warps_.scoreboard(id);
  Scoreboard::Hazards hazards = scoreboard.hazards(footprint);
  hazards.reads &= read_hazards_;
  if (hazards.reads) waits_for_reads_.add(id);
  // A warp must not arrive at a barrier before its memory accesses, except copies, are complete.
  const bool longer =
      (footprint.barrier && warp.memory_in_flight != 0) || (warp.waits_for_long && scoreboard.long_pending());
  sets_.hazard.set(id, hazards.any() || longer);
  sets_.long_wait.set(id, longer || hazards.long_results != 0);
}

WarpSet Readiness::pairs_among(WarpSet ready) {
  WarpSet pairs;
  for (const WarpId warp : ready) {
    if (!can_pair(warp)) continue;
    pairs.add(warp);
    seconds_[warp.value] = warps_.progress(warp).code + buffers_.of(warp).peek(1).pc;
  }
  return pairs;
}

// True if the warp's next two instructions could issue in the same cycle. The two instructions must be
// consecutive on the warp's path and independent of each other. Neither may be a control instruction, and at
// most one may access memory.
bool Readiness::can_pair(WarpId id) const {
  if (!buffers_.can_issue(id, 1)) return false;
  const WarpProgress& warp = warps_.progress(id);
  const DecodedInstruction head = buffers_.of(id).front(), next = buffers_.of(id).peek(1);
  const SimtStack& simt = warps_.state(id).simt;
  if (next.pc != warp.footprints[head.pc + 1].executes || next.pc == simt.reconvergence() || simt.apart())
    return false;
  const InstructionFootprint &a = warp.footprints[head.pc], &b = warp.footprints[next.pc];
  if (a.unit == isa::UnitClass::control || b.unit == isa::UnitClass::control) return false;
  if (a.waits_for_long || a.fence) return false;
  if (lists_release_ && isa::ReleaseLatch(head.attached).lists() != 0) return false;
  return !(a.memory && b.memory) && !depends(b, a) && !warps_.scoreboard(id).hazard(b);
}

std::array<WarpSet, kUnitClasses> Readiness::next_by_unit(WarpSet warps) const {
  std::array<WarpSet, kUnitClasses> sets{};
  for (const WarpId warp : warps) {
    const std::uint32_t pc = buffers_.of(warp).peek(1).pc;
    sets[static_cast<std::size_t>(warps_.progress(warp).footprints[pc].unit)] |= bit_of(warp);
  }
  return sets;
}

}  // namespace heddle
