#include "models/gpu/cta_dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/registry.h"
#include "models/sm/issue_stage.h"

namespace heddle {

CtaDispatcher::CtaDispatcher(const sc_core::sc_module_name& name, Clock& clock, std::vector<Sm*> sms,
                             const std::vector<ConfigNode>& admission, std::function<bool()> memory_idle,
                             Limits limits)
    : ClockedModule(name, clock),
      sms_(std::move(sms)),
      memory_idle_(std::move(memory_idle)),
      limits_(std::move(limits)),
      views_(sms_.size()) {
  SC_HAS_PROCESS(CtaDispatcher);
  SC_METHOD(act_outside);
  sensitive << outside_;
  dont_initialize();
  CtaAdmission::Context context{static_cast<int>(sms_.size())};
  for (const ConfigNode& choice : admission)
    admission_.push_back(Registry<CtaAdmission>::instance().make(choice, context));
  for (std::size_t s = 0; s < sms_.size(); ++s) {
    views_[s].free = sms_[s]->capacity();
    sms_[s]->cta_changed = [this, s, all = views_[s].free.ctas](SmId, std::uint32_t, bool ended,
                                                                const SmResources& free) {
      // Records that a CTA started or ended. Several SMs may call this function in parallel, so take_notes()
      // sorts the records.
      const auto alone = this->clock().time_base().alone();
      Clock& own = sms_[s]->clock();
      const Cycle at = own.now();
      notes_.push_back({at, s, ended, free});
      this->clock().sync();
      this->clock().due_at(at + 1);
      own.leash().expect_answer(at + 2);
      own.leash().set_empty(free.ctas == all);
    };
  }
}

int CtaDispatcher::ctas_per_sm(const isa::KernelLaunch& launch) const {
  const SmResources capacity = sms_.front()->capacity();
  int room = capacity.ctas;
  for (const auto& constraint : admission_) room = std::min(room, constraint->room(capacity, launch));
  return room;
}

void CtaDispatcher::check(const isa::KernelLaunch& launch) const {
  const SmResources capacity = sms_.front()->capacity();
  for (const auto& constraint : admission_)
    if (constraint->room(capacity, launch) < 1)
      throw Error(launch.program->file,
                  fmt::format("a CTA of kernel {} does not fit on an SM: it needs {}", launch.program->kernel,
                              constraint->demand(capacity, launch)));
  const std::uint64_t resident = static_cast<std::uint64_t>(ctas_per_sm(launch)) * sms_.size();
  if (launch.cooperative && launch.grid.count() > resident)
    throw Error(launch.program->file,
                fmt::format("the cooperative launch of kernel {} has {} CTAs, which must be resident at once",
                            launch.program->kernel, launch.grid.count()),
                fmt::format("up to {}: {} on each of {} SMs", resident, ctas_per_sm(launch), sms_.size()));
}

void CtaDispatcher::begin(const isa::KernelLaunch& launch, DispatchRange range, FurtherCtas further,
                          Cycle cycle) {
  check(launch);
  if (launch.cooperative && (further || range.first != 0 || range.count < launch.grid.count()))
    throw Error(launch.program->file,
                "a part of the cooperative launch of kernel " + launch.program->kernel +
                    ", whose CTAs wait for each other",
                "runs without watch.sample");
  launch_ = &launch;
  const std::uint64_t grid = launch.grid.count();
  next_ = std::min(range.first, grid);
  range_end_ = next_ + std::min(range.count, grid - next_);
  total_ = range_end_ - next_;
  further_ = std::move(further);
  ended_ = 0;
  last_end_ = 0;
  begin_cycle_ = end_cycle_ = cycle;
  next_heartbeat_ = cycle + limits_.heartbeat_cycles;
  next_interval_ = limits_.interval_cycles ? cycle + limits_.interval_cycles - 1 : kNever;
  clock().start(cycle);
}

void CtaDispatcher::tick() {
  if (!launch_ || now() < begin_cycle_) return;
  take_notes();
  if (next_ < range_end_) place();
  if (next_ == range_end_ && further_) clock().notify_outside(outside_);
  watch();
}

Cycle CtaDispatcher::next_watch() const {
  const Cycle limit = limits_.max_cycles == kNever ? kNever : begin_cycle_ + limits_.max_cycles;
  return std::min({next_heartbeat_, next_interval_, limit});
}

Cycle CtaDispatcher::alone_until(Cycle base, Cycle end) const {
  if (const Cycle watch = next_watch(); watch > base) end = std::min(end, watch - 1);
  if (!further_) return end;
  const std::uint64_t left = range_end_ - next_;
  return std::min(end, left ? base + (left - 1) / sms_.size() : base);
}

void CtaDispatcher::take_notes() {
  const auto later =
      std::stable_partition(notes_.begin(), notes_.end(), [this](const Note& n) { return n.at < now(); });
  std::stable_sort(notes_.begin(), later,
                   [](const Note& a, const Note& b) { return a.at != b.at ? a.at < b.at : a.sm < b.sm; });
  for (auto note = notes_.begin(); note != later; ++note) {
    sms_[note->sm]->clock().leash().answered();
    SmView& view = views_[note->sm];
    view.free = note->free;
    if (!note->ended) {
      view.placing = false;
      continue;
    }
    ++ended_;
    last_end_ = now();
    end_cycle_ = note->at;
  }
  notes_.erase(notes_.begin(), later);
  for (const Note& note : notes_) sms_[note.sm]->clock().leash().expect_answer(note.at + 2);
}

bool CtaDispatcher::fits(const SmResources& free) const {
  return std::all_of(admission_.begin(), admission_.end(),
                     [&](const auto& c) { return c->room(free, *launch_) > 0; });
}

void CtaDispatcher::place() {
  const std::size_t first = turn_;
  for (std::size_t step = 0; step < sms_.size() && next_ < range_end_; ++step) {
    const std::size_t s = (first + step) % sms_.size();
    if (views_[s].placing || !fits(views_[s].free)) continue;
    views_[s].placing = true;
    sms_[s]->place_cta(static_cast<std::uint32_t>(next_++));
    turn_ = (s + 1) % sms_.size();
  }
}

void CtaDispatcher::watch() {
  if (finished()) {
    // An SM counts as idle from the cycle after its last active cycle. The end of the run is therefore
    // independent of module order.
    const bool idle = memory_idle_() && std::all_of(sms_.begin(), sms_.end(), [this](const Sm* sm) {
                        return sm->idle() && !sm->clock().works_in(now());
                      });
    if (idle)
      clock().pause();
    else
      clock().wake();
    return;
  }
  if (now() >= next_interval_) {
    interval_due_ = true;
    clock().notify_outside(outside_);
    next_interval_ += limits_.interval_cycles;
  }
  if (now() - begin_cycle_ >= limits_.max_cycles)
    throw Error(launch_->program->file,
                fmt::format("kernel {} has not ended after {} cycles ({} of {} CTAs have):{}",
                            launch_->program->kernel, limits_.max_cycles, ended_, total_, places()));
  if (now() >= next_heartbeat_) {
    next_heartbeat_ = now() + limits_.heartbeat_cycles;
    Cycle last = 0;
    for (const Sm* sm : sms_) last = std::max(last, sm->issue().last_issue());
    if (now() - std::max(last, begin_cycle_) >= limits_.deadlock_cycles) report_deadlock();
    if (now() - std::max(last_end_, begin_cycle_) >= limits_.endless_cycles)
      throw Error(
          launch_->program->file,
          fmt::format("kernel {}: an endless loop? no CTA has ended for {} cycles ({} of {} CTAs have):{}",
                      launch_->program->kernel, limits_.endless_cycles, ended_, total_, places()),
          "more with a higher watch.endless_cycles, or 0");
    if (limits_.on_heartbeat && limits_.on_heartbeat(now())) {
      interrupted_ = true;
      clock().pause();
      return;
    }
  }
  clock().due_at(next_watch());
}

// Ends the measuring interval if this cycle was the last cycle of the interval. Requests further CTAs if all
// known CTAs have been dispatched. Called when all clocks have run this cycle, so the result is independent of
// module order.
void CtaDispatcher::act_outside() {
  if (clock().status().failed()) return;
  try {
    if (std::any_of(sms_.begin(), sms_.end(), [this](const Sm* sm) { return sm->clock().now() > now(); }))
      throw InternalError("an SM has run ahead of an event that needs all SMs");
    if (std::exchange(interval_due_, false)) limits_.on_interval(now() + 1);
    if (next_ == range_end_ && further_) request_further();
  } catch (...) {
    clock().status().fail(std::current_exception());
  }
}

void CtaDispatcher::request_further() {
  const std::optional<DispatchRange> range = further_(now() + 1);
  if (range) {
    const std::uint64_t grid = launch_->grid.count();
    next_ = std::min(range->first, grid);
    range_end_ = next_ + std::min(range->count, grid - next_);
    total_ += range_end_ - next_;
    // Dispatch continues in this cycle, as if both ranges were one: each SM that has not received a CTA in
    // this cycle may receive one of the new range.
    if (next_ < range_end_) place();
  } else {
    further_ = nullptr;
  }
  clock().wake();
}

void CtaDispatcher::report_deadlock() const {
  throw Error(
      launch_->program->file,
      fmt::format("nothing has been issued for {} cycles while {} of {} CTAs of kernel {} have not ended:{}",
                  limits_.deadlock_cycles, total_ - ended_, total_, launch_->program->kernel, places()));
}

std::string CtaDispatcher::places() const {
  std::string text;
  int lines = 0;
  for (const Sm* sm : sms_)
    for (std::uint32_t w = 0; w < static_cast<std::uint32_t>(sm->issue().max_warps()); ++w) {
      if (!sm->issue().resident(WarpId(w)) || ++lines > 8) continue;
      text += fmt::format("{} {}", lines == 1 ? "" : ";", sm->issue().describe(WarpId(w)));
    }
  if (lines > 8) text += fmt::format("; and {} more warps", lines - 8);
  return text;
}

}  // namespace heddle
