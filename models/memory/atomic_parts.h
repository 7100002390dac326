#pragma once

// Implementation of AtomicUnit: a port for each SM, the socket to memory, and the lines that the unit holds
// for atomic operations.

#include <vector>

#include "models/core/cycle_queue.h"
#include "models/core/object_pool.h"
#include "models/memory/atomic_lines.h"
#include "models/memory/atomic_unit.h"
#include "models/memory/memory_request.h"
#include "models/memory/response_sender.h"

namespace heddle {

struct RouteExtension : tlm::tlm_extension<RouteExtension> {
  int port = 0;
  tlm::tlm_extension_base* clone() const override { return new RouteExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const RouteExtension&>(other);
  }
};

struct AtomicUnit::Parts final : tlm::tlm_bw_transport_if<> {
  Parts(AtomicUnit& unit, const AtomicUnitParameters& parameters, int sms, const StatsScope& stats);

  struct Port : tlm::tlm_fw_transport_if<> {
    Port(Parts& owner, int number, int queue_requests);
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

    Parts* parts;
    int index;
    MemoryTargetSocket socket;
    CycleQueue<tlm::tlm_generic_payload*> queue;
    enum class Refused : std::uint8_t { no, line, memory } refused = Refused::no;
    /// Request that arrived in cycle `held_from`, when the queue was full as far as this unit knew. The request
    /// receives END_REQ when it enters the queue. If the SM is ahead of this unit, the queue may have room by then.
    tlm::tlm_generic_payload* held = nullptr;
    Cycle held_from = 0;
    ResponseSender responses;
    Leash* leash = nullptr;  ///< limits by how many cycles the SM on this port runs ahead of the atomic unit
    /// Records in `leash` whether the SM waits for the END_REQ of a request.
    void note_held() const {
      if (leash) leash->set_unaccepted(held != nullptr);
    }
  };

  void tick(Cycle now);
  void take_answers(Cycle now);
  void route_requests(Cycle now);
  void accept_held(Port& port, Cycle now);
  Port::Refused route(Port& port, Cycle now);
  bool can_send(Cycle now) const { return !requesting && now >= free_from; }
  void send(tlm::tlm_generic_payload& payload, Cycle now);
  void completed(tlm::tlm_generic_payload& payload, Cycle visible);
  Cycle visible_from(const sc_core::sc_time& delay) const;
  void pass_up(tlm::tlm_generic_payload& payload, Cycle due);
  void plan_wake(Cycle now);
  Cycle called(const sc_core::sc_time& delay);
  void count_responses(Cycle until);
  void wake(Cycle cycle) {
    next_work = std::min(next_work, cycle);
    unit->clock().due_at(cycle);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  AtomicUnit* unit;
  std::vector<std::unique_ptr<Port>> ports;
  AtomicLines lines;
  RequestPool pool;
  Ring<MemoryRequest*> own;
  DelayQueue<MemoryRequest*> answers;
  ObjectPool<RouteExtension> routes;
  std::size_t passed_on = 0;
  const tlm::tlm_generic_payload* requesting = nullptr;
  Cycle free_from = 0;
  std::size_t first_port = 0;
  Cycle next_work = 0;  ///< the atomic unit has no work before this cycle
  bool answers_ahead = false;
  /// Responses that the unit sent before the cycles in which they are due. The counters count each response
  /// in the cycle in which it is due.
  struct Uncounted {};
  DueHeap<Uncounted> uncounted;

  Counter &requests, &forwarded, &atomic_requests, &responses;
};

}  // namespace heddle
