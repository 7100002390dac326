#include "models/stages/upper_stage.h"

#include "models/ports/register_file_parameters.h"

namespace heddle {

UpperStage::UpperStage(Context& context)
    : PassingStage(context),
      bank_cycles_(static_cast<Cycle>(context.parameters->banks.latency_cycles)),
      homes_{static_cast<std::uint32_t>(context.partitions * context.schedulers),
             static_cast<std::uint32_t>(context.partitions)},
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
  if (first_refusal() == kNever) room_ = false;
  if (!events_.empty()) {
    std::size_t taken = 0;
    while (taken < events_.size() && events_[taken].at < now()) take_event(events_[taken++]);
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  begin_cycle();
}

RegisterStage::Answer UpperStage::accept(RegisterAccess& access) {
  begin();
  return take(access);
}

void UpperStage::tick() {
  begin();
  ask_again();
}

void UpperStage::space_below() {
  for (SendCredit& credit : credits_) credit.retried(now());
  clock().wake_next();
  room_ = true;
  ask_again();
}

RegisterStage::Answer UpperStage::refuse() {
  last_own_ = now();
  if (first_own_ == kNever) first_own_ = last_own_;
  clock().wake_next();
  return Answer::refused;
}

// Not in the cycle of the refusal: whether that came before or after must not show. For the same reason what there is
// room for stays so until the next cycle begins.
void UpperStage::ask_again() {
  const bool room = room_ || first_own_ < now();
  if (!room || first_refusal() >= now()) return;
  retry();
  first_own_ = last_own_ == now() ? last_own_ : kNever;
  if (first_refusal() != kNever) clock().wake_next();
}

UpperStage::Answer UpperStage::pass(RegisterAccess& access) {
  const auto sender = static_cast<std::size_t>(sender_of(access));
  if (!credits_[sender].may_send(now())) return Answer::refused;
  const Answer answer = offer(initiator, access);
  if (answer == Answer::refused) credits_[sender].refused(now());
  return answer;
}

}  // namespace heddle
