#pragma once

// Sends the requests of an SM to memory by the TLM base protocol: one BEGIN_REQ per cycle, and only after the
// END_REQ of the previous request. Collects the responses and counts outstanding requests. Works with any
// target of the base protocol.
//
// If the SM runs ahead of the target, the END_REQ of a request may come after cycles in which the port would have
// sent further requests. The port then sends these requests late, with the cycles in which they were due. Until
// then, the number of waiting requests is not known: the owner must not run a tick that depends on it
// (Leash::Sender, surely_ready()).
//
// The owner (the module that uses this port) receives a response in the cycle after its arrival. Responses
// that arrive in the same cycle are delivered in the order of their requests, independent of module order.

#include "models/memory/memory_request.h"
#include "models/memory/ring.h"
#include "models/time/clock.h"

namespace heddle {

class MemoryPort : public tlm::tlm_bw_transport_if<> {
 public:
  /// `bytes_per_cycle`: bytes of requests that the path to memory transfers per cycle
  /// (LoadStoreParameters::request_bytes_per_cycle); 0: no limit.
  MemoryPort(ClockedModule& owner, MemoryInitiatorSocket& socket, int queue_requests,
             int outstanding_requests, double bytes_per_cycle = 0);

  bool ready() const { return queue_.size() < queue_limit_ && outstanding_ < outstanding_limit_; }
  /// Returns true if the queue has room after `requests` further requests, even if none of the waiting requests can
  /// be sent late.
  bool surely_ready(std::size_t requests) const { return queue_.size() + requests < queue_limit_; }
  MemoryRequest* open() { return pool_.take(); }
  void enqueue(MemoryRequest* request);

  /// Sends the oldest waiting request if the target can accept it. The owner must call this function once, at
  /// the end of each tick.
  void send(Cycle now);
  /// Returns the next completed request that the owner may process in cycle `now`, or nullptr. The owner calls
  /// pop_response() to remove the request from the queue, and close() to free the request.
  MemoryRequest* response(Cycle now) { return responses_.due(now) ? responses_.front() : nullptr; }
  void pop_response() { responses_.pop(); }
  void close(MemoryRequest* request);

  Cycle next_event(Cycle now) const;
  bool idle() const { return outstanding_ == 0; }
  int outstanding() const { return outstanding_; }

  bool read_debug(std::uint64_t address, void* into, unsigned bytes);

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  /// Cycles for which a request occupies the path to memory.
  Cycle sending_cycles(const MemoryRequest& request) const;
  void send_at(Cycle cycle, sc_core::sc_time delay);
  void send_late();
  Cycle can_send_from() const { return std::max(free_from_, path_free_from_); }
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
  int outstanding_ = 0;
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  Cycle free_from_ = 0;
  double bytes_per_cycle_;
  Cycle path_free_from_ = 0;
};

}  // namespace heddle
