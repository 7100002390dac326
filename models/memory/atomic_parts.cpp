#include "models/memory/atomic_parts.h"

#include <algorithm>

namespace heddle {

AtomicUnit::Parts::Parts(AtomicUnit& u, const AtomicUnitParameters& p, int sms, const StatsScope& stats)
    : unit(&u),
      lines(p, stats),
      requests(stats.add("requests", "requests",
                         "requests received: forwarded + atomic + served from held lines")),
      forwarded(stats.add("forwarded", "requests", "reads and writes forwarded to memory")),
      atomic_requests(stats.add("atomic_requests", "requests", "atomics of one line")),
      responses(stats.add("responses", "requests", "responses sent to the SMs")) {
  for (int i = 0; i < sms; ++i) ports.push_back(std::make_unique<Port>(*this, i, p.input_queue_requests));
  u.memory.bind(*this);
}

AtomicUnit::AtomicUnit(const sc_core::sc_module_name& name, Clock& clock,
                       const AtomicUnitParameters& parameters, int sms, StatsScope stats)
    : ClockedModule(name, clock),
      memory("memory"),
      parts_(std::make_unique<Parts>(*this, parameters, sms, stats)) {}

AtomicUnit::~AtomicUnit() = default;

MemoryTargetSocket& AtomicUnit::target(int sm) {
  return parts_->ports.at(static_cast<std::size_t>(sm))->socket;
}

void AtomicUnit::tick() { parts_->tick(now()); }

void AtomicUnit::answer_ahead() {
  parts_->answers_ahead = true;
  for (const auto& port : parts_->ports) port->responses.answer_ahead(clock().period());
}

void AtomicUnit::hold_by(int sm, Leash& leash) {
  parts_->ports.at(static_cast<std::size_t>(sm))->leash = &leash;
}

Cycle AtomicUnit::known_until(Cycle base, Cycle end) const {
  if (!parts_->lines.any()) return end;
  if (parts_->lines.any_open()) return std::min(end, base + 1);
  return parts_->answers.empty() ? end : std::min(end, std::max(base, parts_->answers.next()));
}

void AtomicUnit::settle(Cycle cycle) { parts_->count_responses(cycle - 1); }

bool AtomicUnit::idle() const {
  for (const auto& port : parts_->ports)
    if (!port->queue.empty() || port->held || !port->responses.idle()) return false;
  return !parts_->lines.any() && parts_->passed_on == 0;
}

void AtomicUnit::Parts::count_responses(Cycle until) {
  for (; uncounted.due(until); uncounted.pop()) ++responses;
}

void AtomicUnit::Parts::tick(Cycle now) {
  if (now < next_work) return;
  if (answers_ahead) count_responses(now);
  // 1. Process the responses of memory to the unit's reads and writes of lines.
  take_answers(now);
  const auto respond = [this](const AtomicLines::Waiting& request, Cycle due) {
    ports[static_cast<std::size_t>(request.port)]->responses.push(due, *request.payload);
    ++responses;
  };
  const auto write_back = [this]() -> MemoryRequest& {
    MemoryRequest* const request = pool.take();
    own.push(request);
    return *request;
  };
  if (lines.any()) lines.step(now, respond, write_back);
  route_requests(now);
  for (auto& port : ports) port->responses.tick(now);
  plan_wake(now);
}

void AtomicUnit::Parts::take_answers(Cycle now) {
  while (answers.due(now)) {
    MemoryRequest& request = *answers.pop();
    lines.answered(request, [&](const AtomicLines::Waiting& waiting) {
      waiting.payload->set_response_status(request.get_response_status());
      auto* extension = waiting.payload->get_extension<MemoryEdgeExtension>();
      if (extension) extension->lanes.performed = true;
      ports[static_cast<std::size_t>(waiting.port)]->responses.push(now, *waiting.payload);
      ++responses;
    });
    request.release();
  }
}

unsigned AtomicUnit::Parts::Port::transport_dbg(tlm::tlm_generic_payload& payload) {
  const unsigned bytes = parts->unit->memory->transport_dbg(payload);
  parts->lines.access_debug(payload, bytes);
  return bytes;
}

}  // namespace heddle
