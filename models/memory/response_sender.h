#pragma once

// Sends the responses of a memory-side target of the TLM base protocol: one BEGIN_RESP at a time, in the
// order of their due cycles. If the initiator returns TLM_COMPLETED, several responses can be sent in one
// cycle.

#include <tlm>

#include "models/memory/ring.h"
#include "models/ports/memory_edge.h"

namespace heddle {

class ResponseSender {
 public:
  explicit ResponseSender(MemoryTargetSocket& socket) : socket_(&socket) {}

  /// Queues a response that is sent in cycle `due`. After the response, the reference to the payload is
  /// released.
  void push(Cycle due, tlm::tlm_generic_payload& payload) { responses_.push(due, &payload); }

  void tick(Cycle now) {
    while (!waiting_ && responses_.due(now)) {
      tlm::tlm_generic_payload& payload = *responses_.pop();
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      waiting_ = &payload;
      const tlm::tlm_sync_enum status = (*socket_)->nb_transport_bw(payload, phase, delay);
      if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) end();
    }
  }
  void end() {
    if (!waiting_) return;
    if (waiting_->has_mm()) waiting_->release();
    waiting_ = nullptr;
  }

  Cycle next_event() const { return waiting_ ? kNever : responses_.next(); }
  bool idle() const { return !waiting_ && responses_.empty(); }

 private:
  MemoryTargetSocket* socket_;
  DueHeap<tlm::tlm_generic_payload*> responses_;
  tlm::tlm_generic_payload* waiting_ = nullptr;
};

}  // namespace heddle
