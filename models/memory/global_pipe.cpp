#include "models/memory/global_pipe.h"

#include <fmt/format.h>

#include <cstring>

#include "models/core/error.h"

namespace heddle {
namespace {

using isa::CacheOp;
using isa::Ordering;

bool may_stay_in_l1(const isa::MemoryAccess& form) {
  return form.ordering == Ordering::weak && form.cache != CacheOp::cg && form.cache != CacheOp::cv;
}

bool acquires(const isa::MemoryAccess& form) {
  return (form.ordering == Ordering::acquire || form.ordering == Ordering::acq_rel) &&
         form.scope != isa::Scope::cta;
}

}  // namespace

GlobalPipe::GlobalPipe(const LoadStoreParameters& parameters, int hit_delay_cycles, SmId sm,
                       ClockedModule& owner, MemoryInitiatorSocket& socket, GlobalPipeClient& client,
                       const StatsScope& s)
    : l1_parameters_(parameters.l1),
      hit_delay_(static_cast<Cycle>(hit_delay_cycles - 1)),
      sector_bytes_(static_cast<unsigned>(parameters.sector_bytes)),
      byte_enables_(parameters.byte_enables),
      client_(&client),
      queue_limit_(static_cast<std::size_t>(parameters.global_queue_instructions)),
      l1_("load_store.l1.bytes", parameters.l1.bytes, parameters.l1.ways),
      misses_(parameters.l1.mshrs, parameters.l1.mshr_merges),
      requests_(parameters, sm, owner, socket, s),
      stall_(s, "stall_", "a segment"),
      segments_(s),
      instructions_(s.add("global_instructions", "warp-instructions", "global and local accesses taken")),
      load_segments_(s.add("load_segments", "segments", "of loads: l1_accesses + l1_bypasses")),
      store_segments_(s.add("store_segments", "segments", "of stores")),
      atomic_segments_(s.add("atomic_segments", "segments", "of atomics")),
      l1_accesses_(
          s.add("l1_accesses", "segments", "load segments looked up in the L1: hits + merges + misses")),
      l1_hits_(s.add("l1_hits", "segments", "served from the L1")),
      l1_merges_(s.add("l1_merges", "segments", "merged with a line that was already being fetched")),
      l1_misses_(s.add("l1_misses", "segments", "fetched from memory")),
      l1_write_hits_(s.add("l1_write_hits", "segments", "store segments that updated a line of the L1")),
      l1_fills_(s.add("l1_fills", "lines", "lines written into the L1")),
      bypasses_(s.add("l1_bypasses", "segments", "load segments that bypass the L1")) {
  if (!std::has_single_bit(sector_bytes_))
    throw Error("load_store.sector_bytes", fmt::format("{} is no power of two", sector_bytes_), "4..128");
}

void GlobalPipe::enqueue(MemoryOperation* o) {
  const isa::Instruction& instruction = *o->site.instruction;
  const isa::MemoryAccess& form = instruction.memory;
  o->kind = instruction.op == isa::Opcode::ld     ? MemoryOperation::Kind::load
            : instruction.op == isa::Opcode::st   ? MemoryOperation::Kind::store
            : instruction.op == isa::Opcode::copy ? MemoryOperation::Kind::copy
                                                  : MemoryOperation::Kind::atomic;
  o->returns = o->kind == MemoryOperation::Kind::load || o->kind == MemoryOperation::Kind::copy ||
               instruction.op == isa::Opcode::atom;
  o->acquires = acquires(form);
  const L1Parameters& l1 = l1_parameters_;
  const bool may = l1.enabled && may_stay_in_l1(form);
  o->cached_global = may && (l1.caches_global || (form.non_coherent && l1.caches_non_coherent));
  o->cached_local = may && l1.caches_local;
  ++instructions_;
  queue_.push(o);
}

void GlobalPipe::empty_l1() {
  l1_.invalidate_all();
  misses_.close_all();
}

void GlobalPipe::serve_oldest(Cycle now) {
  MemoryOperation& o = *queue_.front();
  if (o.lanes.any()) {
    Segment s = o.lanes.next(o.addresses);
    if (stall_.begin(now, process(o, s, now))) return;
    segments_.add_segment();
    ++o.item->segments;
    o.lanes.advance(s);
    if (o.lanes.any()) return;
  }
  queue_.pop();
  segments_.add_access(o.item->segments, o.addresses);
  o.all_sent = true;
  if (!o.returns || o.waiting == 0)
    finish(o, now);
  else
    ++loads_waiting_;
}

GlobalPipe::Stall GlobalPipe::process(MemoryOperation& o, Segment& s, Cycle now) {
  switch (o.kind) {
    case MemoryOperation::Kind::load:
    case MemoryOperation::Kind::copy:
      return (s.local ? o.cached_local : o.cached_global) ? load_cached(o, s, now) : load_past_l1(o, s);
    case MemoryOperation::Kind::store:
      return store(o, s);
    case MemoryOperation::Kind::atomic:
      return atomics(o, s);
  }
  return Stall::none;
}

GlobalPipe::Stall GlobalPipe::load_cached(MemoryOperation& o, const Segment& s, Cycle now) {
  const Waiter waiter{&o, s.lanes, s.part, s.shift};
  if (const std::uint8_t* bytes = l1_.lookup(s.line)) {
    if (o.kind == MemoryOperation::Kind::copy) {
      expect_bytes(o);
      client_->bytes_arrived(o, s.lanes, bytes, s.line, now + hit_delay_);
    } else {
      load_lanes(*o.site.instruction, o.item->operands, s.lanes, o.addresses, bytes, s.line - s.shift,
                 s.part);
      o.not_before = std::max(o.not_before, now + hit_delay_);
    }
    ++l1_hits_;
  } else if (int entry = misses_.find_open(s.line); entry >= 0) {
    if (!misses_.can_merge(entry)) return Stall::merges;
    misses_.join(entry, waiter);
    ++o.waiting;
    ++l1_merges_;
  } else {
    entry = misses_.find_free();
    if (entry < 0) return Stall::mshr;
    if (!requests_.ready()) return Stall::memory;
    misses_.open(entry, s.line);
    misses_.join(entry, waiter);
    ++o.waiting;
    MemoryRequest& request = open(o, s, Kind::fill);
    request.entry = entry;
    requests_.send_read(request, s.line, kSegmentBytes);
    ++l1_misses_;
  }
  ++l1_accesses_;
  ++load_segments_;
  return Stall::none;
}

GlobalPipe::Stall GlobalPipe::load_past_l1(MemoryOperation& o, const Segment& s) {
  if (!requests_.ready()) return Stall::memory;
  if (l1_parameters_.enabled) {
    l1_.invalidate(s.line);
    misses_.close(s.line);
  }
  if (o.acquires && l1_parameters_.fence_invalidates) empty_l1();
  std::uint64_t low = kSegmentBytes, high = 0;
  for (LaneMask left = s.lanes; left != 0; left &= left - 1) {
    const std::uint64_t offset = o.addresses.at(std::countr_zero(left)) + s.shift - s.line;
    low = std::min(low, offset);
    high = std::max(high, offset + s.part.bytes);
  }
  low = low / sector_bytes_ * sector_bytes_;
  high = (high + sector_bytes_ - 1) / sector_bytes_ * sector_bytes_;
  requests_.send_read(open(o, s, Kind::read), s.line + low, static_cast<unsigned>(high - low));
  ++o.waiting;
  ++bypasses_;
  ++load_segments_;
  return Stall::none;
}

ByteMask GlobalPipe::bytes_to_write(const MemoryOperation& o, Segment& s) const {
  ByteMask bytes;
  if (o.lanes.whole_line()) {
    bytes.set_all();
    return bytes;
  }
  const auto offset = [&](LaneMask lanes) {
    return static_cast<unsigned>(o.addresses.at(std::countr_zero(lanes)) + s.shift - s.line);
  };
  for (LaneMask left = s.lanes; left != 0; left &= left - 1) bytes.set(offset(left), s.part.bytes);
  if (byte_enables_ || bytes.count() == bytes.end() - bytes.first()) return bytes;
  const unsigned first = bytes.first();
  unsigned end = first;
  while (end < kSegmentBytes && bytes.test(end)) ++end;
  for (LaneMask left = s.lanes; left != 0; left &= left - 1)
    if (offset(left) >= end) s.lanes &= ~(left & -left);
  bytes = {};
  bytes.set_range(first, end - first);
  return bytes;
}

GlobalPipe::Stall GlobalPipe::store(MemoryOperation& o, Segment& s) {
  if (!requests_.ready()) return Stall::memory;
  const ByteMask bytes = bytes_to_write(o, s);
  MemoryRequest& request = open(o, s, Kind::write);
  store_lanes(*o.site.instruction, o.item->operands, s.lanes, o.addresses, request.data, s.line - s.shift,
              s.part);
  if (l1_parameters_.enabled) {
    misses_.close(s.line);
    if (std::uint8_t* held = l1_.probe(s.line)) {
      ++l1_write_hits_;
      for (unsigned i = bytes.first(); i < bytes.end(); ++i)
        if (bytes.test(i)) held[i] = request.data[i];
      if (!s.local && l1_parameters_.evicts_on_write()) l1_.invalidate(s.line);
    }
  }
  requests_.send_write(request, s.line, bytes);
  client_->write_sent(o.item->warp());
  ++store_segments_;
  return Stall::none;
}

GlobalPipe::Stall GlobalPipe::atomics(MemoryOperation& o, const Segment& s) {
  if (!requests_.ready()) return Stall::memory;
  const isa::Instruction& instruction = *o.site.instruction;
  if (l1_parameters_.enabled) {
    misses_.close(s.line);
    l1_.invalidate(s.line);
  }
  MemoryRequest& request = open(o, s, Kind::atomic);
  requests_.send_atomic(request, s.line);
  AtomicLanes& to = request.extension.lanes;
  to.operation = instruction.modifiers.atomic;
  to.type = instruction.type;
  to.lanes = s.lanes;
  for (LaneMask left = s.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    to.offset[lane] = static_cast<std::uint8_t>(o.addresses.at(lane) - s.line);
    to.operand_b[lane] = source_value(o.item->operands, 1, lane);
    to.operand_c[lane] = instruction.num_src > 2 ? source_value(o.item->operands, 2, lane) : 0;
  }
  if (o.returns)
    ++o.waiting;
  else
    client_->write_sent(o.item->warp());
  ++atomic_segments_;
  return Stall::none;
}

void GlobalPipe::request_line(const AccessSite& site, WarpId warp, LaneMask lanes, std::uint64_t line,
                              void* owner, int entry) {
  MemoryRequest& request = requests_.open(Kind::other_line, site, warp, lanes);
  request.owner = owner;
  request.entry = entry;
  requests_.send_read(request, line, kSegmentBytes);
}

MemoryRequest& GlobalPipe::open(MemoryOperation& o, const Segment& s, Kind kind) {
  MemoryRequest& request = requests_.open(kind, o.site, o.item->warp(), s.lanes);
  ++o.item->transfers;
  request.owner = kind == Kind::write || (kind == Kind::atomic && !o.returns) ? nullptr : &o;
  request.first = static_cast<std::uint8_t>(s.part.first);
  request.bytes = static_cast<std::uint8_t>(s.part.bytes);
  request.shift = s.shift;
  return request;
}

}  // namespace heddle
