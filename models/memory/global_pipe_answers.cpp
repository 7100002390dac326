// What comes back from memory: fills, data, acknowledgements.

#include <fmt/format.h>

#include "models/memory/global_pipe.h"

namespace heddle {

void GlobalPipe::handle_responses(Cycle now) {
  // Acknowledgements cost nothing; data passes one line a cycle.
  bool data_passed = false;
  while (MemoryRequest* request = port_.response(now)) {
    const bool data = request->owner != nullptr;
    if (data && data_passed) return;
    data_passed |= data;
    port_.pop_response();
    check_status(*request);
    answer(*request, now);
    ++responses_;
    port_.close(request);
  }
}

void GlobalPipe::check_status(const MemoryRequest& request) const {
  const int lane = std::countr_zero(request.lanes);
  if (!request.is_response_ok())
    fail_access(request.site, lane,
                fmt::format("memory answered {} to {} bytes at {:#x}", request.get_response_string(),
                            request.get_data_length(), request.get_address()));
  if (request.kind == atomic && !request.extension.lanes.performed)
    fail_access(request.site, lane,
                "the memory does not execute atomics: an AtomicUnit must stand before it");
}

void GlobalPipe::answer(MemoryRequest& request, Cycle now) {
  switch (request.kind) {
    case fill:
      return answer_fill(request, now);
    case read: {
      const Waiter waiter{static_cast<MemoryOperation*>(request.owner),
                          request.lanes,
                          {request.first, request.bytes},
                          request.shift};
      return deliver(waiter, request.data, request.line(), now);
    }
    case other_line:
      return client_->line_arrived(request, now);
    case write:
      return client_->write_acknowledged(request.warp);
    case atomic:
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
  load_lanes(*o.site.instruction, o.item->operands, waiter.lanes, o.addresses, line_bytes,
             line - waiter.shift, waiter.part);
  one_answered(o, now);
}

void GlobalPipe::one_answered(MemoryOperation& o, Cycle now) {
  if (--o.waiting == 0 && o.all_sent) {
    --loads_waiting_;
    finish(o, now);
  }
}

void GlobalPipe::finish(MemoryOperation& o, Cycle now) {
  if (o.acquires && l1_parameters_.fence_invalidates) empty_l1();
  client_->finished(o, std::max(now, o.not_before));
  operations_.give_back(&o);
}

Cycle GlobalPipe::next_event(Cycle now) const {
  Cycle next = port_.next_event(now);
  // A segment stalled by the miss table is freed by a response, which is an event of its own.
  const bool may_step = stall_ == Stall::none || (stall_ == Stall::memory && port_.ready());
  if (!queue_.empty() && may_step) next = std::min(next, now + 1);
  return next;
}

}  // namespace heddle
