#include "models/memory/l2_slice.h"

#include <algorithm>
#include <bit>

#include "models/memory/backing_store.h"
#include "models/memory/i_memory_model.h"

namespace heddle {
namespace {

constexpr unsigned kSectorBytes = 32;

std::uint64_t line_of(const tlm::tlm_generic_payload& payload) {
  return payload.get_address() / kSegmentBytes * kSegmentBytes;
}

bool whole_line_write(const tlm::tlm_generic_payload& payload) {
  return payload.is_write() && payload.get_data_length() == kSegmentBytes && !payload.get_byte_enable_ptr();
}

bool enabled(const tlm::tlm_generic_payload& payload, unsigned byte) {
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  return !enables || enables[byte % payload.get_byte_enable_length()] != TLM_BYTE_DISABLED;
}

}  // namespace

L2Slice::L2Slice(const L2Parameters& p, std::size_t sets, DramChannel& channel, L2Surroundings around)
    : queue(static_cast<std::size_t>(p.queue_requests)),
      slices(static_cast<std::uint64_t>(p.slices)),
      interleave_bytes(static_cast<std::uint64_t>(p.interleave_bytes)),
      array_(sets, static_cast<std::size_t>(p.ways)),
      dirty_(array_.size()),
      left_(array_.size()),
      misses_(p.mshrs, p.mshr_merges),
      missing_(static_cast<std::size_t>(p.mshrs)),
      port_(p.bytes_per_cycle),
      channel_(&channel),
      allocates_writes_(p.write_miss == "allocate"),
      around_(around) {}

Cycle SmPaths::pass(const tlm::tlm_generic_payload& payload, Cycle due) {
  if (!limited_) return due;
  const auto* const edge = payload.get_extension<MemoryEdgeExtension>();
  if (!edge) return due;
  const std::size_t sm = edge->sm.value;
  if (sm >= paths_.size()) paths_.resize(sm + 1, path_);
  return paths_[sm].transfer(due, std::max(kSectorBytes, payload.get_data_length()));
}

std::size_t L2Slice::set_of(std::uint64_t line) const {
  const std::uint64_t own = line / interleave_bytes / slices * (interleave_bytes / kSegmentBytes) +
                            line % interleave_bytes / kSegmentBytes;
  return static_cast<std::size_t>(own % array_.sets());
}

void L2Slice::step(Cycle now, DueHeap<Fill>& fills) {
  if (stall_ == Stall::mshr) around_.counters.waited_for_mshr(now - stalled_since_);
  if (stall_ == Stall::dram) around_.counters.waited_for_dram(now - stalled_since_);
  stall_ = Stall::none;
  if (!queue.can_pop(now) || port_.free_cycle() > now) return;
  tlm::tlm_generic_payload& payload = *queue.front();
  stall_ = handle(payload, line_of(payload), now, fills);
  if (stall_ != Stall::none) {
    stalled_since_ = now;
    return;
  }
  around_.counters.took(payload);
  queue.pop(now);
}

Cycle L2Slice::next_event(Cycle now) const {
  if (queue.empty() || stall_ == Stall::mshr) return kNever;
  const Cycle room = stall_ == Stall::dram ? channel_->room_from() : 0;
  return std::max({now + 1, port_.free_cycle(), room});
}

L2Slice::Stall L2Slice::handle(tlm::tlm_generic_payload& payload, std::uint64_t line, Cycle now,
                               DueHeap<Fill>& fills) {
  if (payload.is_write() && !writable(payload)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    answer(payload, now);
    return Stall::none;
  }
  const int missing = misses_.find_open(line);
  if (missing >= 0) {
    if (!misses_.can_merge(missing)) return Stall::mshr;
    misses_.join(missing, &payload);
    around_.counters.merged();
    return Stall::none;
  }
  std::size_t way = array_.find(set_of(line), line);
  if (way == CacheArray::kNoWay && !allocates(payload)) return miss(payload, line, now, fills);
  if (way == CacheArray::kNoWay) {
    way = make_room(line, now);
    if (!whole_line_write(payload)) read_image(around_.image, line, array_.bytes(way), kSegmentBytes);
  }
  around_.counters.hit();
  serve(payload, way, now);
  return Stall::none;
}

// True if a miss of this request allocates a line without a fetch over the memory channel. Bytes that the
// request does not write are copied from the memory image.
bool L2Slice::allocates(const tlm::tlm_generic_payload& payload) const {
  return whole_line_write(payload) || (allocates_writes_ && payload.is_write());
}

L2Slice::Stall L2Slice::miss(tlm::tlm_generic_payload& payload, std::uint64_t line, Cycle now,
                             DueHeap<Fill>& fills) {
  const int entry = misses_.find_free();
  if (entry < 0) return Stall::mshr;
  if (channel_->room_from() > now) return Stall::dram;
  misses_.open(entry, line);
  misses_.join(entry, &payload);
  missing_[static_cast<std::size_t>(entry)] = line;
  const Cycle start = channel_->bandwidth.transfer(now, kSegmentBytes);
  fills.push(start + channel_->latency, {this, entry});
  around_.counters.missed(kSegmentBytes, start - now);
  return Stall::none;
}

void L2Slice::fill(int entry, Cycle now) {
  const std::uint64_t line = missing_[static_cast<std::size_t>(entry)];
  std::uint8_t fetched[kSegmentBytes];
  if (read_image(around_.image, line, fetched, kSegmentBytes)) {
    const std::size_t way = make_room(line, now);
    std::memcpy(array_.bytes(way), fetched, kSegmentBytes);
    for (tlm::tlm_generic_payload* waiter : misses_.waiters(entry)) serve(*waiter, way, now);
  } else {
    for (tlm::tlm_generic_payload* waiter : misses_.waiters(entry)) {
      waiter->set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      answer(*waiter, now);
    }
  }
  misses_.release(entry);
}

void L2Slice::serve(tlm::tlm_generic_payload& payload, std::size_t way, Cycle now) {
  array_.touch(way);
  const auto offset = static_cast<unsigned>(payload.get_address() % kSegmentBytes);
  const unsigned bytes = payload.get_data_length();
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), array_.bytes(way) + offset, bytes);
  if (payload.is_write() && !payload.get_byte_enable_ptr()) {
    std::memcpy(array_.bytes(way) + offset, payload.get_data_ptr(), bytes);
    dirty_[way].set_range(offset, bytes);
  } else if (payload.is_write()) {
    for (unsigned i = 0; i < bytes; ++i) {
      if (!enabled(payload, i)) continue;
      array_.bytes(way)[offset + i] = payload.get_data_ptr()[i];
      dirty_[way].set(offset + i, 1);
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  answer(payload, now);
}

void L2Slice::answer(tlm::tlm_generic_payload& payload, Cycle now) {
  const Cycle start = port_.transfer(now, payload.get_data_length());
  around_.responses.push(around_.paths.pass(payload, start + around_.hit_delay), payload);
}

std::size_t L2Slice::make_room(std::uint64_t line, Cycle now) {
  const std::size_t way = array_.victim(set_of(line), line);
  if (array_.line(way) != CacheArray::kNoLine) {
    const auto bytes = static_cast<unsigned>(std::popcount(write_back(way))) * kSectorBytes;
    around_.counters.evicted(bytes);
    if (bytes != 0) channel_->bandwidth.transfer(now, bytes);
  }
  array_.assign(way, line);
  return way;
}

// Writes the changed bytes of the line to the memory image. Returns the bit mask of the written 32-byte
// sectors.
unsigned L2Slice::write_back(std::size_t way) {
  ByteMask& dirty = dirty_[way];
  const unsigned sectors = dirty_sectors(way);
  left_[way] = 0;
  if (dirty.none()) return sectors;
  const std::uint64_t line = array_.line(way);
  const unsigned first = dirty.first(), bytes = dirty.end() - first;
  std::uint8_t enables[kSegmentBytes];
  for (unsigned i = 0; i < bytes; ++i)
    enables[i] = dirty.test(first + i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  write_image(around_.image, line + first, array_.bytes(way) + first, bytes, enables, bytes);
  dirty = {};
  return sectors;
}

unsigned L2Slice::dirty_sectors(std::size_t way) const {
  const ByteMask& dirty = dirty_[way];
  unsigned sectors = left_[way];
  if (dirty.none()) return sectors;
  for (unsigned i = dirty.first(); i < dirty.end(); ++i) sectors |= dirty.test(i) << i / kSectorBytes;
  return sectors;
}

bool L2Slice::writable(const tlm::tlm_generic_payload& payload) const {
  if (around_.image.find(payload.get_address(), payload.get_data_length())) return true;
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    if (enabled(payload, i) && !around_.image.find(payload.get_address() + i, 1)) return false;
  return true;
}

std::uint8_t* L2Slice::probe(std::uint64_t address) {
  const std::uint64_t line = address / kSegmentBytes * kSegmentBytes;
  const std::size_t way = array_.find(set_of(line), line);
  return way == CacheArray::kNoWay ? nullptr : array_.bytes(way) + address % kSegmentBytes;
}

void L2Slice::drain() {
  for (std::size_t way = 0; way < array_.size(); ++way)
    if (array_.line(way) != CacheArray::kNoLine) write_back(way);
}

void L2Slice::forget() {
  for (std::size_t way = 0; way < array_.size(); ++way) {
    if (array_.line(way) == CacheArray::kNoLine || array_.used(way) > warmed_) continue;
    write_back(way);
    array_.drop(way);
  }
}

void L2Slice::used(std::vector<std::uint64_t>& lines) const {
  std::vector<std::size_t> ways;
  for (std::size_t way = 0; way < array_.size(); ++way)
    if (array_.line(way) != CacheArray::kNoLine && array_.used(way) > warmed_) ways.push_back(way);
  std::sort(ways.begin(), ways.end(),
            [this](std::size_t a, std::size_t b) { return array_.used(a) < array_.used(b); });
  for (const std::size_t way : ways) lines.push_back(array_.line(way) | dirty_sectors(way));
}

void L2Slice::warm(std::uint64_t address) {
  const std::uint64_t line = address / kSegmentBytes * kSegmentBytes;
  const auto written = static_cast<std::uint8_t>(address & IMemoryModel::kWrittenSectors);
  const std::size_t held = array_.find(set_of(line), line);
  if (held != CacheArray::kNoWay) {
    left_[held] |= written;
    return array_.touch(held);
  }
  if (misses_.find_open(line) >= 0) return;
  std::uint8_t fresh[kSegmentBytes];
  if (!read_image(around_.image, line, fresh, kSegmentBytes)) return;
  const std::size_t way = array_.victim(set_of(line), line);
  if (array_.line(way) != CacheArray::kNoLine) write_back(way);
  array_.assign(way, line);
  left_[way] = written;
  std::memcpy(array_.bytes(way), fresh, kSegmentBytes);
}

void L2Slice::refresh() {
  std::uint8_t fresh[kSegmentBytes];
  for (std::size_t way = 0; way < array_.size(); ++way) {
    if (array_.line(way) == CacheArray::kNoLine) continue;
    if (!read_image(around_.image, array_.line(way), fresh, kSegmentBytes)) {
      array_.drop(way);
      dirty_[way] = {};
      continue;
    }
    if (dirty_[way].none()) {
      std::memcpy(array_.bytes(way), fresh, kSegmentBytes);
      continue;
    }
    for (unsigned i = 0; i < kSegmentBytes; ++i)
      if (!dirty_[way].test(i)) array_.bytes(way)[i] = fresh[i];
  }
}

}  // namespace heddle
