
#include "models/memory/atomic_parts.h"

namespace heddle {

AtomicUnit::Parts::Port::Port(Parts& owner, int number, int queue_requests)
    : parts(&owner),
      index(number),
      socket(sc_core::sc_gen_unique_name("target")),
      queue(static_cast<std::size_t>(queue_requests)),
      responses(socket) {
  socket.bind(*this);
}

// Returns the cycle in which a transport call of an SM takes effect: `delay` after the current time. If the
// SM runs ahead, this cycle is later than the cycle of the atomic unit. Makes the atomic unit run in the next
// cycle. SMs may call this function in parallel, because the order of the calls changes nothing.
Cycle AtomicUnit::Parts::called(const sc_core::sc_time& delay) {
  const auto alone = unit->clock().time_base().alone();
  const Cycle now = unit->clock().cycle_after(delay);
  wake(now + 1);
  return now;
}

tlm::tlm_sync_enum AtomicUnit::Parts::Port::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                            tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle now = parts->called(delay);
  if (phase == tlm::END_RESP) {
    responses.end();
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (payload.has_mm()) payload.acquire();
  if (!queue.can_push(now)) {
    held = &payload;
    held_from = now;
    note_held();
    return tlm::TLM_ACCEPTED;
  }
  queue.push(now, &payload);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void AtomicUnit::Parts::Port::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* extension = payload.get_extension<MemoryEdgeExtension>();
  if (extension && extension->atomic)
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  else
    parts->unit->memory->b_transport(payload, delay);
}

void AtomicUnit::Parts::route_requests(Cycle now) {
  while (!own.empty() && can_send(now)) send(*own.pop(), now);
  const std::size_t count = ports.size();
  std::size_t refused = count;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t index = first_port + k < count ? first_port + k : first_port + k - count;
    Port& port = *ports[index];
    port.refused = port.queue.can_pop(now) ? route(port, now) : Port::Refused::no;
    if (port.refused != Port::Refused::no && refused == count) refused = index;
    if (port.held) accept_held(port, now);
  }
  first_port = refused == count ? 0 : refused;
}

// Accepts the held request if the queue has room. The SM may have sent the request in a later cycle than `now`:
// room that the queue has now, it also has in that cycle, because only this SM fills the queue.
void AtomicUnit::Parts::accept_held(Port& port, Cycle now) {
  const Cycle cycle = std::max(now, port.held_from);
  if (!port.queue.can_push(cycle)) return;
  port.queue.push(cycle, port.held);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = (cycle - now) * unit->clock().period();
  tlm::tlm_generic_payload& payload = *std::exchange(port.held, nullptr);
  port.socket->nb_transport_bw(payload, phase, delay);
  port.note_held();
}

AtomicUnit::Parts::Port::Refused AtomicUnit::Parts::route(Port& port, Cycle now) {
  tlm::tlm_generic_payload& payload = *port.queue.front();
  const std::uint64_t address = payload.get_address() / kSegmentBytes * kSegmentBytes;
  const auto* extension = payload.get_extension<MemoryEdgeExtension>();
  const bool atomic = extension && extension->atomic;
  int entry = lines.find(address);
  if (entry == AtomicLines::kNone && atomic) {
    entry = lines.find_free();
    if (entry == AtomicLines::kNone) return Port::Refused::line;
    MemoryRequest* request = pool.take();
    lines.open(entry, address, extension->sm, now, *request);
    request->extension.kernel = extension->kernel;
    if (can_send(now))
      send(*request, now);
    else
      own.push(request);
  }
  if (entry != AtomicLines::kNone) {
    lines.wait(entry, {&payload, port.index});
    if (atomic) ++atomic_requests;
  } else {
    if (!own.empty() || !can_send(now)) return Port::Refused::memory;
    RouteExtension& route = routes.take();
    route.port = port.index;
    payload.set_extension(&route);
    ++passed_on;
    ++forwarded;
    send(payload, now);
  }
  ++requests;
  port.queue.pop(now);
  return Port::Refused::no;
}

Cycle AtomicUnit::Parts::visible_from(const sc_core::sc_time& delay) const {
  return unit->clock().cycle_after(delay) + 1;
}

void AtomicUnit::Parts::send(tlm::tlm_generic_payload& payload, Cycle now) {
  requesting = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = unit->memory->nb_transport_fw(payload, phase, delay);
  const bool answered =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (answered || (status == tlm::TLM_UPDATED && phase == tlm::END_REQ)) {
    requesting = nullptr;
    free_from = delay == sc_core::SC_ZERO_TIME ? now : visible_from(delay);
  }
  if (answered) completed(payload, visible_from(delay));
  if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    tlm::tlm_phase end = tlm::END_RESP;
    unit->memory->nb_transport_fw(payload, end, delay);
  }
}

void AtomicUnit::Parts::completed(tlm::tlm_generic_payload& payload, Cycle visible) {
  RouteExtension* route = payload.get_extension<RouteExtension>();
  if (!route) {
    auto* request = static_cast<MemoryRequest*>(&payload);
    answers.push(visible, request, static_cast<std::uint64_t>(request->entry));
    return;
  }
  pass_up(payload, visible);
}

void AtomicUnit::Parts::pass_up(tlm::tlm_generic_payload& payload, Cycle due) {
  RouteExtension* route = payload.get_extension<RouteExtension>();
  ResponseSender& to = ports[static_cast<std::size_t>(route->port)]->responses;
  payload.clear_extension(route);
  routes.give_back(*route);
  --passed_on;
  if (answers_ahead)
    uncounted.push(due, {});
  else
    ++responses;
  to.push(due, payload);
}

tlm::tlm_sync_enum AtomicUnit::Parts::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                      tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle now = unit->clock().sync();
  const Cycle visible = visible_from(delay);
  if ((phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) && requesting == &payload) {
    requesting = nullptr;
    free_from = visible;
    wake(visible);
  }
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  RouteExtension* route = payload.get_extension<RouteExtension>();
  if (route && (answers_ahead || delay == sc_core::SC_ZERO_TIME)) {
    ResponseSender& to = ports[static_cast<std::size_t>(route->port)]->responses;
    pass_up(payload, visible - 1);
    to.tick(now);
  } else {
    completed(payload, visible);
    wake(visible);
  }
  return tlm::TLM_COMPLETED;
}

void AtomicUnit::Parts::plan_wake(Cycle now) {
  Cycle next = answers.empty() ? kNever : std::max(answers.next(), now + 1);
  bool later = false;
  const Cycle can_send_from = requesting ? kNever : std::max(free_from, now + 1);
  if (!own.empty()) next = std::min(next, can_send_from);
  for (const auto& port : ports) {
    later |= !port->queue.empty();
    if (port->queue.can_pop(now + 1) && port->refused != Port::Refused::line)
      next = std::min(next, port->refused == Port::Refused::memory ? can_send_from : now + 1);
    if (port->held && port->queue.can_push(now + 1)) next = now + 1;
    next = std::min(next, std::max(port->responses.next_event(), now + 1));
  }
  next = std::min(next, lines.next_event(now));
  next_work = answers_ahead && later ? now + 1 : next;
  if (next != kNever) unit->clock().due_at(next);
}

}  // namespace heddle
