#include "models/memory/memory_port.h"

#include <algorithm>
#include <cmath>

#include "models/core/error.h"

namespace heddle {

MemoryPort::MemoryPort(ClockedModule& owner, MemoryInitiatorSocket& socket, int queue_requests,
                       int outstanding_requests, double bytes_per_cycle)
    : owner_(&owner),
      clock_(&owner.clock()),
      socket_(&socket),
      queue_limit_(static_cast<std::size_t>(queue_requests)),
      outstanding_limit_(outstanding_requests),
      bytes_per_cycle_(bytes_per_cycle) {
  socket.bind(*this);
}

void MemoryPort::enqueue(MemoryRequest* request) {
  ++outstanding_;
  request->order = ++enqueued_;
  request->enqueued = clock_->now();
  queue_.push(request);
}

void MemoryPort::close(MemoryRequest* request) {
  --outstanding_;
  request->release();
}

Cycle MemoryPort::visible_from(const sc_core::sc_time& delay) const { return clock_->cycle_after(delay) + 1; }

void MemoryPort::complete(tlm::tlm_generic_payload& payload, Cycle visible) {
  if (visible <= clock_->now()) throw InternalError("a response reached an SM that has run ahead of it");
  if (requesting_ == &payload) {
    requesting_ = nullptr;
    free_from_ = visible;
  }
  auto* request = static_cast<MemoryRequest*>(&payload);
  responses_.push(visible, request, request->order);
}

void MemoryPort::send(Cycle now) {
  if (queue_.empty() || requesting_ || now < can_send_from()) return;
  send_at(now, clock_->ahead());
}

// Sends the requests that were due in cycles that this SM has run already.
void MemoryPort::send_late() {
  while (!queue_.empty() && !requesting_) {
    const Cycle due = std::max(can_send_from(), queue_.front()->enqueued);
    if (due > clock_->now()) return;
    send_at(due, clock_->ahead(due));
  }
}

// Sends the oldest waiting request in cycle `cycle`, which is `delay` after the current simulation time.
void MemoryPort::send_at(Cycle cycle, sc_core::sc_time delay) {
  MemoryRequest& request = *queue_.pop();
  if (bytes_per_cycle_ > 0) path_free_from_ = cycle + sending_cycles(request);
  requesting_ = &request;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const tlm::tlm_sync_enum status = (*socket_)->nb_transport_fw(request, phase, delay);
  if (status == tlm::TLM_COMPLETED) {
    complete(request, visible_from(delay));
  } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    requesting_ = nullptr;
    free_from_ = visible_from(delay);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    complete(request, visible_from(delay));
    tlm::tlm_phase end = tlm::END_RESP;
    (*socket_)->nb_transport_fw(request, end, delay);
  }
}

tlm::tlm_sync_enum MemoryPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  clock_->sync();
  const Cycle visible = visible_from(delay);
  owner_->due_at(visible);
  if (phase == tlm::END_REQ) {
    if (requesting_ == &payload) {
      requesting_ = nullptr;
      free_from_ = visible;
      send_late();
    }
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::BEGIN_RESP) {
    complete(payload, visible);
    return tlm::TLM_COMPLETED;
  }
  return tlm::TLM_ACCEPTED;
}

Cycle MemoryPort::next_event(Cycle now) const {
  Cycle next = responses_.empty() ? kNever : std::max(responses_.next(), now + 1);
  if (!queue_.empty() && !requesting_)
    next = std::min(next, std::max({free_from_, path_free_from_, now + 1}));
  return next;
}

Cycle MemoryPort::sending_cycles(const MemoryRequest& request) const {
  constexpr double kHeaderBytes = 8;
  const double data = request.is_read() ? 0 : request.get_data_length();
  return std::max<Cycle>(1, static_cast<Cycle>(std::ceil((kHeaderBytes + data) / bytes_per_cycle_)));
}

bool MemoryPort::read_debug(std::uint64_t address, void* into, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(into));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return (*socket_)->transport_dbg(payload) == bytes;
}

}  // namespace heddle
