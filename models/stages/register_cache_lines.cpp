
#include "models/stages/register_cache.h"

namespace heddle {

// Frees the line for another register, and writes it back if necessary. Returns false if the stage below has
// no space.
bool RegisterCache::empty_line(CacheLine& line) {
  if (const LaneMask lanes = unwritten(line); lanes && !write_back(line, lanes, false)) return false;
  counters_.replaced();
  store_.give_up(line);
  return true;
}

bool RegisterCache::write_back(CacheLine& line, LaneMask lanes, bool flush) {
  Own& own = own_.take();
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
    flushes_.written(line.warp);
  } else {
    own_.give_back(own);
    if (answer == Answer::refused) return false;
    clock().wake();
  }
  ports_of(line).read.take(now() + 1);
  counters_.wrote_back(lanes, flush);
  return true;
}

void RegisterCache::answered(RegisterAccess& access) {
  if (access.stage != this) {
    respond(access);
    return;
  }
  Own& own = *static_cast<Own*>(access.owner);
  if (own.kind == Own::Kind::write_back) {
    flushes_.answered(access.warp);
    own_.give_back(own);
    clock().wake();
    return;
  }
  RegisterAccess& original = *own.original;
  finish_read(own);
  respond(original);
}

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
    own_.give_back(own);
  }
}

void RegisterCache::begin_cycle() {
  const auto put = [this](Own* own) {
    CacheLine& line = *own->line;
    own_.give_back(*own);
    const LaneMask lanes =
        own->generation == line.generation ? own->access.mask & line.pending & ~line.valid : 0;
    if (!lanes) return;
    merge_lanes(line.values, own->values, lanes);
    store_.fill(line, lanes);
    line.pending &= ~lanes;
    line.ready = ports_of(line).write.take(now());
    counters_.filled(lanes);
  };
  if (fills_.any(now())) fills_.take(now(), put);
  if (flushes_.any()) flush();
}

void RegisterCache::take_event(const Event& event) {
  if (event.kind == Event::Kind::activated) return inactive_.remove(event.warp);
  inactive_.add(event.warp);
  flushes_.add(event.warp, store_.range_of(event.warp));
  counters_.flushed();
}

void RegisterCache::give_up(WarpId warp) {
  inactive_.remove(warp);
  flushes_.forget(warp);
  store_.leave(warp);
}

// Flushes lines of descheduled warps. In each cycle, a warp gets at most as many write-backs as the cache has
// read ports.
void RegisterCache::flush() {
  const int most = parameters_.read_ports == 0 ? parameters_.entries : parameters_.read_ports;
  const auto empty = [&](CacheLine& line, int& written) {
    const LaneMask lanes = flushes(line) ? unwritten(line) : 0;
    return !lanes || (written++ < most && may_send(Sender::own) && write_back(line, lanes, true));
  };
  flushes_.step(store_, empty, [this](WarpId warp) {
    set_flushed(warp);
    clock().wake();
  });
  if (flushes_.any() && may_send(Sender::own)) clock().wake();
}

ReadWritePorts& RegisterCache::ports_of(const CacheLine& line) {
  const auto banks = static_cast<std::size_t>(parameters_.banks);
  const std::size_t structure = parameters_.per_scheduler ? scheduler_of(line.warp) : 0;
  return ports_[structure * banks + (banks == 1 ? 0 : store_.index_of(line) % banks)];
}

void RegisterCache::debug_read(RegisterAccess& access) {
  initiator->transport_dbg(access);
  if (const CacheLine* line = store_.find(access.warp, access.home))
    merge_lanes(*access.values, line->values, line->valid);
}

}  // namespace heddle
