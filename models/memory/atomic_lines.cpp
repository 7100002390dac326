#include "models/memory/atomic_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/memory/lane_transfer.h"

namespace heddle {

AtomicLines::AtomicLines(const AtomicUnitParameters& p, const StatsScope& stats)
    : interval_(static_cast<Cycle>(p.line_interval_cycles)),
      conflict_cycles_(static_cast<Cycle>(p.address_conflict_cycles)),
      addresses_(static_cast<std::size_t>(p.lines), kFree),
      lines_(static_cast<std::size_t>(p.lines)),
      served_(stats.add("served_from_held", "requests", "reads and writes served from a held line")),
      lanes_(stats.add("atomic_lanes", "lanes", "atomic operations")),
      conflicts_(stats.add("address_conflicts", "lanes", "lanes beyond the first with the same address")),
      line_waits_(
          stats.add("line_wait_cycles", "cycles", "requests waited while their line served others, summed")),
      reads_(stats.add("line_reads", "requests", "lines fetched for atomics")),
      writes_(stats.add("line_writes", "requests", "lines written back after atomics")) {}

bool AtomicLines::any_open() const {
  return used_ != 0 && std::any_of(lines_.begin(), lines_.end(),
                                   [](const Line& line) { return line.state == Line::State::open; });
}

int AtomicLines::find(std::uint64_t address) const {
  if (used_ == 0 && address != kFree) return kNone;
  const auto at = std::find(addresses_.begin(), addresses_.end(), address);
  return at == addresses_.end() ? kNone : static_cast<int>(at - addresses_.begin());
}

void AtomicLines::open(int entry, std::uint64_t address, SmId sm, Cycle now, MemoryRequest& request) {
  Line& line = lines_[static_cast<std::size_t>(entry)];
  address_of(line) = address;
  ++used_;
  line.state = Line::State::reading;
  line.sm = sm;
  line.busy_until = now;
  request.entry = entry;
  RequestPool::make_read(request, address, kSegmentBytes);
  request.extension.sm = sm;
  ++reads_;
}

void AtomicLines::landed(Line& line, const MemoryRequest& request) {
  if (line.state == Line::State::reading)
    std::memcpy(line.data, request.data, kSegmentBytes);
  else if (line.waiting.empty())
    return give_up(line);
  line.state = Line::State::open;
}

void AtomicLines::give_up(Line& line) {
  line.state = Line::State::free;
  line.dirty = {};
  address_of(line) = kFree;
  --used_;
}

Cycle AtomicLines::serve(Line& line, tlm::tlm_generic_payload& payload) {
  auto* const extension = payload.get_extension<MemoryEdgeExtension>();
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (extension && extension->atomic) return apply(line, extension->lanes);
  access(line, payload);
  ++served_;
  return 1;
}

Cycle AtomicLines::apply(Line& line, AtomicLanes& lanes) {
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
    ++lanes_;
  }
  lanes.performed = true;
  conflicts_ += repeated;
  return interval_ + repeated * conflict_cycles_;
}

void AtomicLines::access(Line& line, tlm::tlm_generic_payload& payload) {
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
}

// Makes `request` the write-back of the line: all bytes from the first to the last changed byte. Unchanged
// bytes between them are written, too. Their values in the atomic unit are current.
void AtomicLines::fill_write(Line& line, MemoryRequest& request) {
  const unsigned first = line.dirty.first(), end = line.dirty.end();
  ByteMask range;
  range.set_range(first, end - first);
  request.entry = static_cast<int>(&line - lines_.data());
  request.extension.sm = line.sm;
  std::memcpy(request.data, line.data, kSegmentBytes);
  RequestPool::make_write(request, address_of(line), range);
  line.dirty = {};
  line.state = Line::State::writing;
  ++writes_;
}

Cycle AtomicLines::next_event(Cycle now) const {
  Cycle next = kNever;
  for (std::size_t i = 0; used_ != 0 && i < lines_.size(); ++i)
    if (addresses_[i] != kFree && lines_[i].state == Line::State::open)
      next = std::min(next, std::max(lines_[i].busy_until, now + 1));
  return next;
}

void AtomicLines::access_debug(tlm::tlm_generic_payload& payload, unsigned bytes) {
  for (Line& line : lines_) {
    if (line.state != Line::State::open && line.state != Line::State::writing) continue;
    for (unsigned at = 0; at < bytes; ++at) {
      const std::uint64_t offset = payload.get_address() + at - address_of(line);
      if (offset >= kSegmentBytes) continue;
      if (payload.is_read()) payload.get_data_ptr()[at] = line.data[offset];
      if (payload.is_write()) line.data[offset] = payload.get_data_ptr()[at];
    }
  }
}

}  // namespace heddle
