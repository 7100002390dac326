#include "models/stages/upper_stage.h"

#include "models/ports/register_file_parameters.h"

namespace heddle {

UpperStage::UpperStage(Context& context)
    : PassingStage(context),
      bank_cycles_(static_cast<Cycle>(context.parameters->banks.latency_cycles)),
      homes_{static_cast<std::uint32_t>(context.partitions * context.schedulers),
             static_cast<std::uint32_t>(context.partitions)} {}

void UpperStage::note(Event::Kind kind, WarpId warp) {
  events_.put(now(), {kind, warp});
  clock().wake();
}

void UpperStage::warp_deactivated(WarpId warp) {
  flushed_.remove(warp);
  note(Event::Kind::deactivated, warp);
}

void UpperStage::begin_now() {
  if (!refusals().any()) room_ = false;
  take_events();
  begin_cycle();
}

void UpperStage::take_noted() {
  events_.take(now(), [this](const Event& event) { take_event(event); });
}

// Frees what the stage holds for an ended warp. First handles the recorded events (a warp got or gave up its
// active slot): one of them may belong to this warp, and must not be handled after its end.
void UpperStage::warp_gone(WarpId warp) {
  take_events();
  give_up(warp);
}

void UpperStage::tick() {
  begin();
  retry_refused();
}

void UpperStage::space_below() {
  for (CycleCredit& credit : credits_) credit.retried(now());
  clock().wake();
  room_ = true;
  retry_refused();
}

RegisterStage::Answer UpperStage::refuse() {
  own_refusals_.note(now());
  clock().wake();
  return Answer::refused;
}

// Sends RETRY to the stage above, at the earliest one cycle after the refusal. A RETRY in the cycle of the
// refusal would make results depend on module order.
void UpperStage::retry_refused() {
  const bool room = room_ || own_refusals_.any_before(now());
  if (!room || !refusals().any_before(now())) return;
  retry();
  own_refusals_.requested_again(now());
  if (refusals().any()) clock().wake();
}

UpperStage::Answer UpperStage::pass(RegisterAccess& access) {
  const auto sender = static_cast<std::size_t>(sender_of(access));
  if (!credits_[sender].may_send(now())) return Answer::refused;
  const Answer answer = forward(access);
  if (answer == Answer::refused) credits_[sender].refused(now());
  return answer;
}

ReadsTaken UpperStage::pass_reads(std::span<RegisterAccess> reads) {
  CycleCredit& credit = credits_[static_cast<std::size_t>(sender_of(reads.front()))];
  if (!credit.may_send(now())) return {};
  const ReadsTaken taken = forward_reads(reads);
  if (taken.count < reads.size()) credit.refused(now());
  return taken;
}

}  // namespace heddle
