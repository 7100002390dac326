#include "models/memory/atomic_parts.h"

#include <cstring>

#include "models/memory/lane_transfer.h"

namespace heddle {

AtomicUnit::Parts::Parts(AtomicUnit& u, const AtomicUnitParameters& p, int sms, const StatsScope& stats)
    : unit(&u),
      parameters(p),
      addresses(static_cast<std::size_t>(p.lines), kNone),
      lines(static_cast<std::size_t>(p.lines)),
      requests(stats.add("requests", "requests", "taken: forwarded + atomic + served from held lines")),
      forwarded(stats.add("forwarded", "requests", "reads and writes passed on to memory")),
      atomic_requests(stats.add("atomic_requests", "requests", "atomics of one line")),
      served_held(stats.add("served_from_held", "requests", "reads and writes served from a held line")),
      responses(stats.add("responses", "requests", "answered to the SMs")),
      atomic_lanes(stats.add("atomic_lanes", "lanes", "atomic operations")),
      conflicts(stats.add("address_conflicts", "lanes", "lanes beyond the first with the same address")),
      line_reads(stats.add("line_reads", "requests", "lines fetched for atomics")),
      line_writes(stats.add("line_writes", "requests", "lines written back after atomics")) {
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

bool AtomicUnit::idle() const {
  for (const auto& port : parts_->ports)
    if (!port->queue.empty() || port->held || !port->responses.idle()) return false;
  return parts_->lines_used == 0 && parts_->passed_on == 0;
}

void AtomicUnit::Parts::tick(Cycle now) {
  if (now < next_work) return;
  // 1. Own reads and writes that came back.
  take_answers(now);
  // 2. The next waiting request of every held line.
  if (lines_used) work_on_lines(now);
  // 3. New requests, one from each SM: to a held line, to memory, or a line is fetched for them.
  route_requests(now);
  // 4. Answers to the SMs.
  for (auto& port : ports) port->responses.tick(now);
  plan_wake(now);
}

void AtomicUnit::Parts::take_answers(Cycle now) {
  while (answers.due(now)) {
    MemoryRequest& request = *answers.pop();
    const auto index = static_cast<std::size_t>(request.entry);
    Line& line = lines[index];
    if (!request.is_response_ok()) {
      for (; !line.waiting.empty(); line.waiting.pop()) {
        line.waiting.front().payload->set_response_status(request.get_response_status());
        auto* extension = line.waiting.front().payload->get_extension<MemoryEdgeExtension>();
        if (extension) extension->lanes.performed = true;
        ports[static_cast<std::size_t>(line.waiting.front().port)]->responses.push(
            now, *line.waiting.front().payload);
        ++responses;
      }
      give_up(line, index);
    } else if (line.state == Line::State::reading) {
      std::memcpy(line.data, request.data, kSegmentBytes);
      line.state = Line::State::open;
    } else if (line.waiting.empty()) {
      give_up(line, index);
    } else {
      line.state = Line::State::open;
    }
    request.release();
  }
}

void AtomicUnit::Parts::give_up(Line& line, std::size_t index) {
  line.state = Line::State::free;
  line.dirty = {};
  addresses[index] = kNone;
  --lines_used;
}

void AtomicUnit::Parts::work_on_lines(Cycle now) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (addresses[i] == kNone) continue;
    Line& line = lines[i];
    if (line.state != Line::State::open || line.busy_until > now) continue;
    if (!line.waiting.empty())
      serve(line, now);
    else if (!line.dirty.none())
      write_back(line, addresses[i]);
    else
      give_up(line, i);
  }
}

void AtomicUnit::Parts::serve(Line& line, Cycle now) {
  const Waiting next = line.waiting.pop();
  auto* extension = next.payload->get_extension<MemoryEdgeExtension>();
  Cycle busy = 1;
  if (extension && extension->atomic) {
    busy = apply(line, extension->lanes);
    next.payload->set_response_status(tlm::TLM_OK_RESPONSE);
  } else {
    access_held(line, *next.payload);
    ++served_held;
  }
  line.busy_until = now + busy;
  ports[static_cast<std::size_t>(next.port)]->responses.push(now + busy - 1, *next.payload);
  ++responses;
}

Cycle AtomicUnit::Parts::apply(Line& line, AtomicLanes& lanes) {
  const auto bytes = static_cast<unsigned>(isa::bits_of(lanes.type)) / 8;
  std::uint64_t seen[2] = {0, 0};
  unsigned repeated = 0;
  for (LaneMask left = lanes.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const unsigned offset = lanes.offset[lane];
    lanes.old[lane] = apply_atomic_at(line.data + offset, bytes, lanes.operation, lanes.type,
                                      lanes.operand_b[lane], lanes.operand_c[lane]);
    line.dirty.set(offset, bytes);
    repeated += static_cast<unsigned>((seen[offset / 64] >> (offset % 64)) & 1u);
    seen[offset / 64] |= std::uint64_t{1} << (offset % 64);
    ++atomic_lanes;
  }
  lanes.performed = true;
  conflicts += repeated;
  return static_cast<Cycle>(parameters.line_interval_cycles) +
         std::uint64_t{repeated} * static_cast<unsigned>(parameters.address_conflict_cycles);
}

void AtomicUnit::Parts::access_held(Line& line, tlm::tlm_generic_payload& payload) {
  const auto offset = static_cast<unsigned>(payload.get_address() % kSegmentBytes);
  const unsigned bytes = payload.get_data_length();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), line.data + offset, bytes);
  if (payload.is_write()) {
    for (unsigned i = 0; i < bytes; ++i) {
      if (enables && enables[i % payload.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
      line.data[offset + i] = payload.get_data_ptr()[i];
      line.dirty.set(offset + i, 1);
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void AtomicUnit::Parts::write_back(Line& line, std::uint64_t address) {
  // The bytes between the first and the last changed one are current too: the line is held.
  const unsigned first = line.dirty.first(), end = line.dirty.end();
  ByteMask range;
  range.set_range(first, end - first);
  MemoryRequest* request = pool.take();
  request->entry = static_cast<int>(&line - lines.data());
  request->extension.sm = line.sm;
  std::memcpy(request->data, line.data, kSegmentBytes);
  RequestPool::make_write(*request, address, range);
  line.dirty = {};
  line.state = Line::State::writing;
  own.push(request);
  ++line_writes;
}

unsigned AtomicUnit::Parts::Port::transport_dbg(tlm::tlm_generic_payload& payload) {
  const unsigned bytes = parts->unit->memory->transport_dbg(payload);
  for (std::size_t i = 0; i < parts->lines.size(); ++i) {
    const Line& line = parts->lines[i];
    if (line.state != Line::State::open && line.state != Line::State::writing) continue;
    for (unsigned at = 0; at < bytes; ++at) {
      const std::uint64_t offset = payload.get_address() + at - parts->addresses[i];
      if (offset >= kSegmentBytes) continue;
      std::uint8_t& byte = parts->lines[i].data[offset];
      if (payload.is_read()) payload.get_data_ptr()[at] = byte;
      if (payload.is_write()) byte = payload.get_data_ptr()[at];
    }
  }
  return bytes;
}

}  // namespace heddle
