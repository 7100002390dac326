#include "models/regfile/upper_stage.h"

#include "models/regfile/register_file_parameters.h"

namespace heddle {

UpperStage::UpperStage(Context& context)
    : PassingStage(context),
      bank_cycles_(static_cast<Cycle>(context.parameters->banks.latency_cycles)),
      partitions_(static_cast<std::uint32_t>(context.partitions)),
      schedulers_(context.schedulers),
      flushed_at_(static_cast<std::size_t>(context.max_warps), 0) {}

void UpperStage::note(Event::Kind kind, WarpId warp) {
  events_.push_back({kind, warp, now()});
  clock().wake_next();
}

void UpperStage::warp_deactivated(WarpId warp) {
  flushed_at_[warp.value] = kNever;
  note(Event::Kind::deactivated, warp);
}

void UpperStage::begin() {
  if (began_ == now()) return;
  began_ = now();
  if (refused_in_ == kNever) room_ = false;
  if (retried_in_ < now()) {
    retried_in_ = kNever;
    may_send_ = true;
  }
  if (!events_.empty()) {
    std::size_t taken = 0;
    while (taken < events_.size() && events_[taken].at < now()) take_event(events_[taken++]);
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  begin_cycle();
}

RegisterStage::Answer UpperStage::accept(RegisterAccess& access) {
  begin();
  const Answer answer = take(access);
  if (answer == Answer::refused && refused_in_ == kNever) refused_in_ = now();
  return answer;
}

void UpperStage::tick() {
  begin();
  ask_again();
}

void UpperStage::space_below() {
  retried_in_ = now();
  clock().wake_next();
  room_ = true;
  ask_again();
}

RegisterStage::Answer UpperStage::refuse() {
  room_ = true;
  clock().wake_next();
  return Answer::refused;
}

// Not in the cycle of the refusal: whether that came before or after must not show.
void UpperStage::ask_again() {
  if (!room_ || refused_in_ >= now()) return;
  room_ = false;
  refused_in_ = kNever;
  retry();
}

bool UpperStage::send(RegisterAccess& access) {
  if (may_send_ && offer(initiator, access)) return true;
  may_send_ = false;
  return false;
}

}  // namespace heddle
