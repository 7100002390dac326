#pragma once

// The response side of a base-protocol target: one BEGIN_RESP at a time, in order of due cycle. An initiator
// that answers TLM_COMPLETED (ours does) may get several in one cycle.

#include <tlm>

#include "models/memory/ring.h"
#include "models/ports/memory_edge.h"

namespace heddle {

class ResponseSender {
 public:
  explicit ResponseSender(MemoryTargetSocket& socket) : socket_(&socket) {}

  /// The response goes out in the tick of cycle `due`. The sender gives back the target's reference.
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
  /// END_RESP came; the next response may go out in a later tick.
  void end() {
    if (!waiting_) return;
    if (waiting_->has_mm()) waiting_->release();
    waiting_ = nullptr;
  }

  /// The next cycle with something to send; kNever while an END_RESP is outstanding.
  Cycle next_event() const { return waiting_ ? kNever : responses_.next(); }
  bool idle() const { return !waiting_ && responses_.empty(); }

 private:
  MemoryTargetSocket* socket_;
  DueHeap<tlm::tlm_generic_payload*> responses_;
  tlm::tlm_generic_payload* waiting_ = nullptr;
};

}  // namespace heddle
