// Placement and end of CTAs. A CTA's warps get slots and registers when the CTA starts. All resources of the
// CTA are freed after its last warp has ended.

#include <algorithm>
#include <string>

#include "models/core/error.h"
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

[[noreturn]] void refuse_admission(const char* missing, const char* constraints) {
  throw Error("gpu.admission", std::string("admits a CTA to an SM that has no free ") + missing,
              std::string("a list with ") + constraints);
}

}  // namespace

void Sm::start_cta(std::uint32_t cta) {
  const isa::KernelLaunch& launch = kernel_->launch();
  const auto slot = std::find_if(ctas_.begin(), ctas_.end(), [](const CtaState& c) { return !c.used; });
  if (slot == ctas_.end()) refuse_admission("CTA slot", "ctas");
  const CtaSlot cta_slot(static_cast<std::uint32_t>(slot - ctas_.begin()));
  *slot = {true, cta, launch.warps_per_cta(), {}};
  threads_taken_ += static_cast<int>(launch.threads_per_cta());
  shared_taken_ += SharedMemory::granted_bytes(launch.shared_bytes());
  ++resident_ctas_;
  ++ctas_placed_;
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
    context.warp = take_warp_slot();
    slot->warps.push_back(context.warp);
    context.warp_in_cta = w;
    const std::uint32_t lanes = std::min<std::uint32_t>(kLanes, threads - w * kLanes);
    context.lanes = lanes == kLanes ? kAllLanes : (LaneMask{1} << lanes) - 1;
    context.age = placed_++;
    for (int axis = 0; axis < 3; ++axis) context.tid[axis] = thread_ids(launch.block, w, axis);
    ++warps_started_;
    register_port(issue_->partition_of(context.warp)).path().bind(context.warp, kernel_->program().registers);
    issue_->start_warp(context, *kernel_);
  }
  if (launch.reads) launch.reads->placed(context_.id.value, cta, slot->warps);
  life_.cta_begins({cta_slot, cta, slot->warps, kernel_->program().registers});
  if (cta_changed) cta_changed(context_.id, cta, false, resources());
}

// Returns the lowest free slot whose partition has enough registers.
WarpId Sm::take_warp_slot() {
  for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(issue_->max_warps()); ++w) {
    const std::uint64_t bit = std::uint64_t{1} << w;
    const RegisterPath& path = register_port(issue_->partition_of(WarpId(w))).path();
    if ((slots_taken_ & bit) || path.free_registers() < kernel_->program().registers) continue;
    slots_taken_ |= bit;
    return WarpId(w);
  }
  refuse_admission("warp slot whose partition has the registers", "warps, registers");
}

void Sm::warp_ended(WarpId warp) {
  const CtaSlot slot = issue_->warp(warp).context.cta_slot;
  CtaState& cta = ctas_[slot.value];
  if (--cta.warps_left == 0) end_cta(cta, slot);
}

void Sm::end_cta(CtaState& cta, CtaSlot slot) {
  const isa::KernelLaunch& launch = kernel_->launch();
  load_store_->shared_memory().free(slot);
  threads_taken_ -= static_cast<int>(launch.threads_per_cta());
  shared_taken_ -= SharedMemory::granted_bytes(launch.shared_bytes());
  --resident_ctas_;
  clock_.open_next(*this);  // runs after the register paths of all its warps
  ended_.push_back(slot);
  life_.cta_ends(slot);
  if (cta_changed) cta_changed(context_.id, cta.cta, true, resources());
}

// Frees the registers and slots of ended CTAs, after the register paths have reported that their warps are
// gone.
void Sm::open_cycle() {
  for (const CtaSlot ended : ended_) {
    CtaState& cta = ctas_[ended.value];
    for (const WarpId warp : cta.warps) {
      register_port(issue_->partition_of(warp)).path().unmap(warp);
      slots_taken_ &= ~(std::uint64_t{1} << warp.value);
    }
    cta.used = false;
  }
  ended_.clear();
}

}  // namespace heddle
