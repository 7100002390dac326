#pragma once

// Sends the responses of a target of the TLM base protocol: one BEGIN_RESP at a time, in the order of their
// due cycles. If the initiator returns TLM_COMPLETED, as MemoryPort does, several responses can be sent in
// one cycle.
//
// After answer_ahead(), the sender sends each response in the sender's next tick. The annotated delay is the
// time from this tick to the cycle in which the response is due. The initiator thus receives the response
// early, and may run ahead of this target.

#include <tlm>

#include "models/memory/ring.h"
#include "models/ports/memory_edge.h"

namespace heddle {

class ResponseSender {
 public:
  explicit ResponseSender(MemoryTargetSocket& socket) : socket_(&socket) {}

  /// Queues a response for cycle `due`. The sender sends the response in this cycle, or earlier after
  /// answer_ahead(). The sender releases its reference to the payload after sending.
  void push(Cycle due, tlm::tlm_generic_payload& payload) { responses_.push(due, &payload); }
  /// Makes the sender send each response as early as possible, with an annotated delay up to the due cycle of
  /// the response. `period`: length of a cycle.
  void answer_ahead(const sc_core::sc_time& period) { period_ = period; }
  bool answers_ahead() const { return period_ != sc_core::SC_ZERO_TIME; }

  void tick(Cycle now) {
    const Cycle until = answers_ahead() ? kNever : now;
    while (!waiting_ && responses_.due(until)) {
      const Cycle due = responses_.next();
      tlm::tlm_generic_payload& payload = *responses_.pop();
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      if (due > now) delay = sc_core::sc_time::from_value((due - now) * period_.value());
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
  sc_core::sc_time period_ = sc_core::SC_ZERO_TIME;  ///< set by answer_ahead()
};

}  // namespace heddle
