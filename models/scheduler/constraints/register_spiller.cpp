#include "models/scheduler/constraints/register_spiller.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/scheduler/constraints/register_fit.h"

namespace heddle {

RegisterSpiller::RegisterSpiller(const Wiring& wiring)
    : host_(wiring.host),
      decision_(wiring.decision),
      homes_(wiring.homes),
      slots_(wiring.homes.partitions),
      saved_(static_cast<std::size_t>(wiring.warps)),
      views_(saved_.size()),
      spills_(
          wiring.stats.add("spills", "warps", "times that a warp's registers were written out to memory")),
      restores_(wiring.stats.add("restores", "warps", "times that a warp's registers were read back")),
      registers_out_(wiring.stats.add("registers_spilled", "registers", "warp-wide registers written out")),
      registers_back_(wiring.stats.add("registers_restored", "registers", "warp-wide registers read back")),
      bytes_(wiring.stats.add("bytes", "bytes", "bytes written to memory and read back")),
      away_cycles_(
          wiring.stats.add("away_cycles", "warp-cycles",
                           "cycles from the order that stops a warp until it has its registers again")) {
  reason_ = "spilled";
  for (WarpId warp; warp.value < saved_.size(); ++warp.value) slots_[homes_.partition(warp)].add(warp);
}

bool RegisterSpiller::spills(const isa::KernelLaunch& launch) const {
  return !registers_fit(claims_, slots_, launch.program->registers, launch.warps_per_cta());
}

std::uint32_t RegisterSpiller::local_bytes(const isa::KernelLaunch& launch) const {
  return spills(launch) ? local_bytes_with_spill_code(*launch.program) : launch.program->local_bytes;
}

std::shared_ptr<const isa::Program> RegisterSpiller::load(const isa::KernelLaunch& launch) {
  spill_code_.reset();
  next_change_ = kNever;
  if (!spills(launch)) return launch.program;
  spill_code_.emplace(*launch.program);
  next_change_ = 0;
  return std::make_shared<const isa::Program>(with_spill_code(*launch.program));
}

void RegisterSpiller::step(Cycle now, WarpSet bound, WarpSet) {
  obey(decision_->order_spills(look(now, bound)));
  held_ = stopping_ | view_.out;
}

const SpillView& RegisterSpiller::look(Cycle now, WarpSet bound) {
  settle(now);
  for (const WarpId warp : stopping_)
    if (!bound.contains(warp) && host_->quiet(warp)) write_out(warp);
  for (const WarpId warp : writing_)
    if (host_->executed(warp) && !claimed(warp).any()) {
      writing_.remove(warp);
      view_.out.add(warp);
    }
  for (const WarpId warp : view_.coming)
    if (host_->executed(warp)) resume(warp);
  view_.running = view_.pending = view_.quiet = {};
  for (const WarpId warp : host_->running()) {
    view_.running.add(warp);
    view_.pending.set(warp, host_->at_barrier(warp));
    view_.quiet.set(warp, !bound.contains(warp) && host_->quiet(warp));
  }
  view_.going = stopping_ | writing_;
  view_.saved = saved_;
  view_.warps = views_;
  if (view_.going | view_.out | view_.coming) host_->wake();
  return view_;
}

void RegisterSpiller::obey(const SpillOrders& orders) {
  stopping_ |= orders.out;
  for (const WarpId warp : orders.back) read_back(warp);
  if (orders.out | orders.back) host_->wake();
}

void RegisterSpiller::write_out(WarpId warp) {
  saved_[warp.value] = claimed(warp);
  host_->switch_out(warp);
  ++spills_;
  stopping_.remove(warp);
  writing_.add(warp);
  execute(warp, true);
}

void RegisterSpiller::read_back(WarpId warp) {
  view_.out.remove(warp);
  view_.coming.add(warp);
  execute(warp, false);
}

void RegisterSpiller::execute(WarpId warp, bool stores) {
  const SpillCode& code = *spill_code_;
  code_.clear();
  saved_[warp.value].for_each(
      [&](std::uint32_t r) { code_.push_back(stores ? code.store(r) : code.load(r)); });
  host_->execute(warp, code_);
}

void RegisterSpiller::issued_outside(WarpId warp, std::uint32_t pc) {
  const SpillCode& code = *spill_code_;
  bytes_ += sizeof(LaneVec);
  if (!code.stores(pc)) {
    ++registers_back_;
    return;
  }
  ++registers_out_;
  host_->release(warp, code.register_of(pc));
}

void RegisterSpiller::resume(WarpId warp) {
  view_.coming.remove(warp);
  saved_[warp.value] = {};
  ++restores_;
  host_->switch_in(warp);
}

void RegisterSpiller::settle(Cycle cycle) {
  if (cycle <= settled_to_) return;
  const WarpSet away = stopping_ | writing_ | view_.out | view_.coming;
  away_cycles_ += (cycle - settled_to_) * static_cast<std::uint64_t>(away.count());
  settled_to_ = cycle;
}

void RegisterSpiller::check_conservation(const std::string& owner) const {
  if (stopping_ | writing_ | view_.out | view_.coming) return;
  if (registers_out_.value() == registers_back_.value() && spills_.value() == restores_.value()) return;
  throw InternalError(fmt::format("{}: {} registers written out, {} read back", owner, registers_out_.value(),
                                  registers_back_.value()));
}

}  // namespace heddle
