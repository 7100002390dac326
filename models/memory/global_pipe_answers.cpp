
#include "models/memory/global_pipe.h"

namespace heddle {

void GlobalPipe::handle_responses(Cycle now) {
  requests_.take_answers(now, [&](MemoryRequest& request) { answer(request, now); });
}

void GlobalPipe::answer(MemoryRequest& request, Cycle now) {
  switch (request.kind) {
    case Kind::fill:
      return answer_fill(request, now);
    case Kind::read: {
      const Waiter waiter{static_cast<MemoryOperation*>(request.owner),
                          request.lanes,
                          {request.first, request.bytes},
                          request.shift};
      return deliver(waiter, request.data, request.line(), now);
    }
    case Kind::other_line:
      return client_->line_arrived(request, now);
    case Kind::write:
      return client_->write_acknowledged(request.warp);
    case Kind::atomic:
      if (!request.owner) return client_->write_acknowledged(request.warp);
      answer_atomic(request);
      return one_answered(*static_cast<MemoryOperation*>(request.owner), now);
  }
}

void GlobalPipe::answer_fill(MemoryRequest& request, Cycle now) {
  const std::uint64_t line = request.line();
  if (misses_.is_open(request.entry)) {
    l1_.install(line, request.data);
    ++l1_fills_;
  }
  for (const Waiter& waiter : misses_.waiters(request.entry)) deliver(waiter, request.data, line, now);
  misses_.release(request.entry);
}

void GlobalPipe::answer_atomic(MemoryRequest& request) {
  auto& o = *static_cast<MemoryOperation*>(request.owner);
  for (LaneMask left = request.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    return_old_value(*o.site.instruction, o.item->operands, lane, request.extension.lanes.old[lane]);
  }
}

void GlobalPipe::deliver(const Waiter& waiter, const std::uint8_t* line_bytes, std::uint64_t line,
                         Cycle now) {
  MemoryOperation& o = *waiter.operation;
  if (o.kind == MemoryOperation::Kind::copy)
    return client_->bytes_arrived(o, waiter.lanes, line_bytes, line, now);
  load_lanes(*o.site.instruction, o.item->operands, waiter.lanes, o.addresses, line_bytes,
             line - waiter.shift, waiter.part);
  one_answered(o, now);
}

void GlobalPipe::landed(MemoryOperation& copy, Cycle now) { one_answered(copy, now); }

void GlobalPipe::one_answered(MemoryOperation& o, Cycle now) {
  if (--o.waiting == 0 && o.all_sent) {
    --loads_waiting_;
    finish(o, now);
  }
}

void GlobalPipe::finish(MemoryOperation& o, Cycle now) {
  if (o.acquires && l1_parameters_.fence_invalidates) empty_l1();
  client_->finished(o, std::max(now, o.not_before));
  operations_.give_back(o);
}

Cycle GlobalPipe::next_event(Cycle now) const {
  Cycle next = port().next_event(now);
  const bool may_step =
      stall_.reason() == Stall::none || (stall_.reason() == Stall::memory && requests_.ready());
  if (!queue_.empty() && may_step) next = std::min(next, now + 1);
  return next;
}

}  // namespace heddle
