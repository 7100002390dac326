// Starts and ends CTAs on an SM. All resources of a CTA are freed together, when its last warp has ended.

#include <algorithm>

#include "models/memory/load_store_unit.h"
#include "models/operands/register_port.h"
#include "models/sm/cta_table.h"
#include "models/sm/issue_stage.h"
#include "models/sm/sm.h"

namespace heddle {
namespace {

LaneVec thread_ids(const isa::Dim3& block, std::uint32_t warp, int axis) {
  LaneVec ids;
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t t = warp * kLanes + static_cast<std::uint32_t>(lane);
    const std::uint32_t value[3] = {t % block.x, t / block.x % block.y, t / block.x / block.y};
    ids[lane] = value[axis];
  }
  return ids;
}

}  // namespace

void Sm::start_cta(std::uint32_t cta) {
  const isa::KernelLaunch& launch = kernel_->launch();
  const CtaSlot cta_slot = ctas_->begin(clock_.now(), cta, launch);
  load_store_->shared_memory().allocate(cta_slot, launch.shared_bytes());
  issue_->barriers().cta_begins(cta_slot, launch.warps_per_cta());

  WarpContext context;
  context.cta_slot = cta_slot;
  context.launch = &launch;
  context.cta = cta;
  context.cta_id = {cta % launch.grid.x, cta / launch.grid.x % launch.grid.y,
                    cta / launch.grid.x / launch.grid.y};
  const std::uint32_t threads = launch.threads_per_cta();
  for (std::uint32_t w = 0; w < launch.warps_per_cta(); ++w) {
    context.age = ctas_->warps_placed();
    context.warp = ctas_->take_warp(cta_slot, slots_with_registers());
    context.warp_in_cta = w;
    const std::uint32_t lanes = std::min<std::uint32_t>(kLanes, threads - w * kLanes);
    context.lanes = lanes == kLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
    for (int axis = 0; axis < 3; ++axis) context.tid[axis] = thread_ids(launch.block, w, axis);
    register_port(issue_->partition_of(context.warp)).path().bind(context.warp, kernel_->program().registers);
    issue_->start_warp(context, *kernel_);
  }
  if (launch.reads) launch.reads->placed(id_.value, cta, ctas_->warps(cta_slot));
  life_->cta_begins({cta_slot, cta, ctas_->warps(cta_slot), kernel_->program().registers});
  if (cta_changed) cta_changed(id_, cta, false, resources());
}

WarpSet Sm::slots_with_registers() const {
  WarpSet slots;
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(parameters_.max_warps); ++w) {
    const RegisterPath& path = register_port(issue_->partition_of(WarpId(w))).path();
    slots.set(WarpId(w), path.free_registers() >= kernel_->program().registers);
  }
  return slots;
}

void Sm::warp_ended(WarpId warp) {
  if (parameters_.load_store.ctas_end_after_stores && !load_store_->stores_done(warp))
    lingering_.add(warp);
  else
    warp_left(warp);
}

void Sm::warp_left(WarpId warp) {
  const CtaSlot slot = issue_->warp(warp).context.cta_slot;
  if (!ctas_->warp_ended(clock_.now(), slot, kernel_->launch())) return;
  load_store_->shared_memory().free(slot);
  clock_.open_next(*this);
  life_->cta_ends(slot);
  if (cta_changed) cta_changed(id_, ctas_->number(slot), true, resources());
}

void Sm::open_cycle() {
  for (const WarpId warp : ctas_->free_ended()) register_port(issue_->partition_of(warp)).path().unmap(warp);
}

}  // namespace heddle
