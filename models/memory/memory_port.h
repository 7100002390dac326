#pragma once

// Initiator at the SM's edge. Sends requests by the base protocol, one BEGIN_REQ per cycle and not before the
// END_REQ of the previous request. Collects responses and counts outstanding requests. Works with any
// base-protocol target: four phases, early completion, annotated delays.
//
// A response in cycle c, by call or annotated delay, is visible to the owner's tick from c + 1 on. Responses
// of one cycle are delivered in the order of their requests, independent of module order.

#include "models/memory/memory_request.h"
#include "models/memory/ring.h"
#include "models/time/clock.h"

namespace heddle {

class MemoryPort : public tlm::tlm_bw_transport_if<> {
 public:
  MemoryPort(ClockedModule& owner, MemoryInitiatorSocket& socket, int queue_requests,
             int outstanding_requests);

  /// True if a request may be opened and enqueued now.
  bool ready() const { return queue_.size() < queue_limit_ && outstanding_ < outstanding_limit_; }
  MemoryRequest* open() { return pool_.take(); }
  void enqueue(MemoryRequest* request);

  /// Sends the oldest waiting request if the target can accept it. Call once per tick, at its end.
  void send(Cycle now);
  /// Returns the next completed request that the owner may see in cycle `now`, or nullptr. The owner removes
  /// it by pop_response() and frees it by close().
  MemoryRequest* response(Cycle now) { return responses_.due(now) ? responses_.front() : nullptr; }
  void pop_response() { responses_.pop(); }
  void close(MemoryRequest* request);

  /// Returns the next cycle in which send() or response() can proceed without another call from the target.
  /// Such a call wakes the owner by arrives().
  Cycle next_event(Cycle now) const;
  bool idle() const { return outstanding_ == 0; }
  int outstanding() const { return outstanding_; }

  bool read_debug(std::uint64_t address, void* into, unsigned bytes);

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  Cycle visible_from(const sc_core::sc_time& delay) const;
  void complete(tlm::tlm_generic_payload& payload, Cycle visible);

  ClockedModule* owner_;
  Clock* clock_;
  MemoryInitiatorSocket* socket_;
  RequestPool pool_;
  std::size_t queue_limit_;
  int outstanding_limit_;
  Ring<MemoryRequest*> queue_;
  DelayQueue<MemoryRequest*> responses_;
  std::uint64_t enqueued_ = 0;
  int outstanding_ = 0;                                   ///< requests opened and not closed
  const tlm::tlm_generic_payload* requesting_ = nullptr;  ///< sent without END_REQ
  Cycle free_from_ = 0;                                   ///< first cycle for the next BEGIN_REQ
};

}  // namespace heddle
