#include "models/sm/register_spiller.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"

namespace heddle {

RegisterSpiller::RegisterSpiller(const Wiring& wiring)
    : w_(wiring),
      saved_(static_cast<std::size_t>(wiring.warps->slots())),
      after_(saved_.size()),
      spills_(
          wiring.stats.add("spills", "warps", "times that a warp's registers were written out to memory")),
      restores_(wiring.stats.add("restores", "warps", "times that a warp's registers were read back")),
      registers_out_(wiring.stats.add("registers_spilled", "registers", "warp-wide registers written out")),
      registers_back_(wiring.stats.add("registers_restored", "registers", "warp-wide registers read back")),
      bytes_(wiring.stats.add("bytes", "bytes", "bytes of both, written and read")),
      away_cycles_(wiring.stats.add("away_cycles", "warp-cycles",
                                    "from the order that stops a warp until it has its registers again")) {}

// Nothing on its way to it or from it, and nothing that it will still ask for by itself.
bool RegisterSpiller::quiet(WarpId warp) const {
  const WarpProgress& progress = w_.warps->progress(warp);
  return progress.in_flight == 0 && !w_.warps->scoreboard(warp).any_pending();
}

// Of what it executes beside its program.
bool RegisterSpiller::executed(WarpId warp) const { return w_.buffers->of(warp).empty() && quiet(warp); }

const SpillView& RegisterSpiller::look(WarpSet bound) {
  settle(w_.clock->now());
  for (const WarpId warp : stopping_)
    if (!bound.contains(warp) && quiet(warp)) write_out(warp);
  for (const WarpId warp : writing_)
    if (executed(warp) && !claimed(warp).any()) {
      writing_.remove(warp);
      view_.out.add(warp);
    }
  for (const WarpId warp : view_.coming)
    if (executed(warp)) resume(warp);
  view_.running = view_.pending = view_.quiet = {};
  for (std::uint32_t w = 0; w < saved_.size(); ++w) {
    if (!w_.warps->running().contains(WarpId(w))) continue;
    const WarpProgress& progress = w_.warps->progress(WarpId(w));
    view_.running.add(WarpId(w));
    const WarpWait wait = progress.wait == WarpWait::spill ? after_[w].wait : progress.wait;
    view_.pending.set(WarpId(w), wait == WarpWait::barrier);
    view_.quiet.set(WarpId(w), !bound.contains(WarpId(w)) && quiet(WarpId(w)));
  }
  view_.going = stopping_ | writing_;
  view_.saved = saved_;
  view_.warps = w_.readiness->views();
  if (view_.going | view_.out | view_.coming) w_.clock->wake();
  return view_;
}

void RegisterSpiller::obey(const SpillOrders& orders) {
  stopping_ |= orders.out;
  for (const WarpId warp : orders.back) read_back(warp);
  if (orders.out | orders.back) w_.clock->wake();
}

void RegisterSpiller::write_out(WarpId warp) {
  WarpProgress& progress = w_.warps->progress(warp);
  saved_[warp.value] = claimed(warp);
  after_[warp.value] = {progress.wait, std::nullopt};
  progress.wait = WarpWait::spill;
  progress.strand_waits = false;  // for what it had in flight
  ++spills_;
  stopping_.remove(warp);
  writing_.add(warp);
  execute(warp, true);
}

void RegisterSpiller::read_back(WarpId warp) {
  view_.out.remove(warp);
  view_.coming.add(warp);
  w_.buffers->resume(warp);
  execute(warp, false);
}

void RegisterSpiller::execute(WarpId warp, bool stores) {
  const SpillCode& code = *w_.warps->state(warp).kernel->spill_code();
  code_.clear();
  saved_[warp.value].for_each(
      [&](std::uint32_t r) { code_.push_back(stores ? code.store(r) : code.load(r)); });
  w_.buffers->set_aside(warp, code_);
  w_.readiness->touch(warp);
}

void RegisterSpiller::issued(WarpId warp, std::uint32_t pc) {
  const SpillCode& code = *w_.warps->state(warp).kernel->spill_code();
  bytes_ += sizeof(LaneVec);
  if (!code.stores(pc)) {
    ++registers_back_;
    return;
  }
  ++registers_out_;
  w_.releases->release_saved(warp, code.register_of(pc));
}

void RegisterSpiller::resume(WarpId warp) {
  view_.coming.remove(warp);
  saved_[warp.value] = {};
  ++restores_;
  w_.buffers->resume(warp);
  w_.warps->progress(warp).wait = after_[warp.value].wait;
  if (after_[warp.value].votes) owed_.emplace_back(warp, *after_[warp.value].votes);
  w_.readiness->touch(warp);
}

std::optional<std::pair<WarpId, std::uint32_t>> RegisterSpiller::next_owed() {
  if (owed_.empty()) return std::nullopt;
  const auto owed = owed_.back();
  owed_.pop_back();
  return owed;
}

void RegisterSpiller::settle(Cycle cycle) {
  if (cycle <= settled_to_) return;
  const WarpSet away = stopping_ | writing_ | view_.out | view_.coming;
  away_cycles_ += (cycle - settled_to_) * static_cast<std::uint64_t>(away.count());
  settled_to_ = cycle;
}

void RegisterSpiller::check_conservation(const std::string& owner) const {
  if (stopping_ | writing_ | view_.out | view_.coming) return;  // in the midst of a kernel
  if (registers_out_.value() == registers_back_.value() && spills_.value() == restores_.value()) return;
  throw InternalError(fmt::format("{}: {} registers written out, {} read back", owner, registers_out_.value(),
                                  registers_back_.value()));
}

}  // namespace heddle
