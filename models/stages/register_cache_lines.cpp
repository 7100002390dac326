// How a register cache gives up and fills its lines: write-backs, flushes, answers from below.

#include "models/stages/register_cache.h"

namespace heddle {

// Reads of these lanes that are under way below bring an older value.
void RegisterCache::cancel_fills(CacheLine& line, LaneMask lanes) {
  if (!(line.pending & lanes)) return;
  line.pending = 0;
  ++line.generation;
}

void RegisterCache::drop_lanes(CacheLine& line, LaneMask lanes) {
  cancel_fills(line, lanes);
  store_.drop(line, lanes);
  if (!line.valid && !line.pending) store_.give_up(line);
}

// Writes back what has to be and gives the line up; false if the stage below had no room.
bool RegisterCache::empty_line(CacheLine& line) {
  if (const LaneMask lanes = unwritten(line)) {
    if (!write_back(line, lanes, false)) return false;
    ++write_backs_;
  }
  ++replaced_;
  store_.give_up(line);
  return true;
}

bool RegisterCache::write_back(CacheLine& line, LaneMask lanes, bool flush) {
  Own& own = take_own();
  own.kind = Own::Kind::write_back;
  own.values = line.values;
  own.access = {};
  own.access.command = RegisterCommand::write;
  own.access.set_register(line.warp, line.reg);
  own.access.live = line.live;
  own.access.mask = lanes;
  own.access.values = &own.values;
  own.access.source = RegisterAccess::kResultBus;
  own.access.stage = this;
  own.access.owner = &own;
  own.access.direct = flush;
  own.access.earliest_service = std::max(now() + 1, line.ready);
  const Answer answer = pass(own.access);
  if (answer == Answer::accepted) {
    ++unanswered_[line.warp.value];
  } else {
    free_own_.push_back(&own);
    if (answer == Answer::refused) return false;
    clock().wake();
  }
  ports_of(line).read.take(now() + 1);
  read_slices_ += slices_of(lanes);
  return true;
}

void RegisterCache::answered(RegisterAccess& access) {
  if (access.stage != this) {
    respond(access);
    return;
  }
  Own& own = *static_cast<Own*>(access.owner);
  if (own.kind == Own::Kind::write_back) {
    --unanswered_[access.warp.value];
    free_own_.push_back(&own);
    clock().wake();
    return;
  }
  RegisterAccess& original = *own.original;
  finish_read(own);
  respond(original);
}

// Values and time of arrival for the read that asked; the line that is to be filled takes them in the next
// cycle.
void RegisterCache::finish_read(Own& own) {
  RegisterAccess& original = *own.original;
  *original.values = own.values;
  merge_lanes(*original.values, own.above, own.above_mask);
  original.data_at = own.access.data_at;
  if (own.served) set_arrival(original, own.served);
  if (own.line) {
    fills_.put(now(), &own);
    clock().wake();
  } else {
    free_own_.push_back(&own);
  }
}

void RegisterCache::begin_cycle() {
  const auto put = [this](Own* own) {
    CacheLine& line = *own->line;
    free_own_.push_back(own);
    const LaneMask lanes =
        own->generation == line.generation ? own->access.mask & line.pending & ~line.valid : 0;
    if (!lanes) return;
    merge_lanes(line.values, own->values, lanes);
    store_.fill(line, lanes);
    line.pending &= ~lanes;
    line.ready = ports_of(line).write.take(now());
    write_slices_ += slices_of(lanes);
    ++fills_done_;
  };
  if (fills_.any(now())) fills_.take(now(), put);
  if (!flushes_.empty()) flush();
}

void RegisterCache::take_event(const Event& event) {
  if (event.kind == Event::Kind::activated) return inactive_.remove(event.warp);
  inactive_.add(event.warp);
  const auto [first, end] = store_.range_of(event.warp);
  flushes_.push_back({event.warp, first, end});
  ++flushed_warps_;
}

void RegisterCache::give_up(WarpId warp) {
  inactive_.remove(warp);
  std::erase_if(flushes_, [warp](const Flush& flush) { return flush.warp == warp; });
  store_.leave(warp);
}

// As many lines a cycle as there are read ports, warp after warp in the order of their descheduling.
void RegisterCache::flush() {
  std::size_t kept = 0;
  for (Flush& flush : flushes_)
    if (!flush_some(flush)) flushes_[kept++] = flush;
  flushes_.resize(kept, Flush{WarpId{}, 0, 0});
  if (kept && may_send(Sender::own)) clock().wake();
}

bool RegisterCache::flush_some(Flush& flush) {
  int left = parameters_.read_ports == 0 ? parameters_.entries : parameters_.read_ports;
  for (; flush.at < flush.end; ++flush.at) {
    CacheLine& line = store_.line(flush.at);
    if (!line.used || line.warp != flush.warp) continue;
    const LaneMask lanes = flushes(line) ? unwritten(line) : 0;
    if (lanes) {
      if (left-- == 0 || !may_send(Sender::own) || !write_back(line, lanes, true)) return false;
      ++flush_write_backs_;
    }
    store_.give_up(line);
  }
  if (unanswered_[flush.warp.value]) return false;
  store_.leave(flush.warp);
  set_flushed(flush.warp);
  clock().wake();
  return true;
}

RegisterCache::Own& RegisterCache::take_own() {
  if (free_own_.empty()) return own_.emplace_back();
  Own& own = *free_own_.back();
  free_own_.pop_back();
  return own;
}

RegisterCache::Ports& RegisterCache::ports_of(const CacheLine& line) {
  const auto banks = static_cast<std::size_t>(parameters_.banks);
  const std::size_t structure = parameters_.per_scheduler ? scheduler_of(line.warp) : 0;
  return ports_[structure * banks + (banks == 1 ? 0 : store_.index_of(line) % banks)];
}

void RegisterCache::count_read(const RegisterAccess& access, LaneMask lanes) {
  ++(access.instruction && is_shared_unit(*access.instruction) ? shared_reads_ : private_reads_);
  read_slices_ += slices_of(lanes);
}

void RegisterCache::debug_read(RegisterAccess& access) {
  initiator->transport_dbg(access);
  if (const CacheLine* line = store_.find(access.warp, access.home))
    merge_lanes(*access.values, line->values, line->valid);
}

bool RegisterCache::flip_bit(RegisterAccess& access, int lane, int bit) {
  CacheLine* line = store_.find(access.warp, access.home);
  if (!line || !(line->valid >> lane & 1)) return false;
  line->values[lane] ^= std::uint32_t{1} << bit;
  return true;
}

std::optional<StageBalance> RegisterCache::balance(const RegisterFlow& came) const {
  const std::uint64_t below = partial_hits_.value() + misses_.value() + direct_reads_.value();
  const std::uint64_t written = private_writes_.value() + shared_writes_.value() + upper_writes_.value();
  StageBalance balance;
  balance.passed = {below, write_backs_.value() + flush_write_backs_.value() + bypassed_.value()};
  balance.rules = {
      {"reads that come, hits and others", came.reads, hits_.value() + below},
      {"writes that come, written here or below", came.writes, written + bypassed_.value()},
      {"hits, reads by datapath", hits_.value() + partial_hits_.value(),
       private_reads_.value() + shared_reads_.value()},
  };
  return balance;
}

}  // namespace heddle
