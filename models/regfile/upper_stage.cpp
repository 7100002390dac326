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

void UpperStage::tick() {
  begin();
  if (refused_in_ >= now()) return;
  refused_in_ = kNever;
  retry();
}

void UpperStage::space_below() {
  retried_in_ = now();
  clock().wake_next();
  retry();
}

RegisterStage::Answer UpperStage::refuse() {
  if (refused_in_ == kNever) refused_in_ = now();
  clock().wake_next();
  return Answer::refused;
}

bool UpperStage::send(RegisterAccess& own) {
  if (offer(initiator, own)) return true;
  wait_for_room();
  return false;
}

}  // namespace heddle
