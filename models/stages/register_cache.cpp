#include "models/stages/register_cache.h"

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/ports/register_file_parameters.h"

namespace heddle {

namespace {

CacheStore::Shape shape_of(const RegisterCacheParameters& p, const RegisterStageContext& context) {
  CacheStore::Shape shape;
  shape.entries = p.entries;
  shape.ways = p.ways;
  shape.shared = p.capacity == "shared";
  shape.lru = p.replacement == "lru";
  shape.structures = p.per_scheduler ? context.schedulers : 1;
  shape.warps = context.max_warps;
  shape.partitions = context.partitions;
  return shape;
}

}  // namespace

RegisterCache::RegisterCache(const RegisterCacheParameters& p, Context& c)
    : UpperStage(c),
      parameters_(p),
      store_(shape_of(p, c)),
      ports_(static_cast<std::size_t>(p.banks * (p.per_scheduler ? c.schedulers : 1)),
             ReadWritePorts{AccessPorts(p.read_ports), AccessPorts(p.write_ports)}),
      allocate_sources_(p.allocate == "results-and-sources"),
      closed_(p.shared_units == "closed"),
      flushes_(c.max_warps),
      counters_(c.stats) {}

RegisterStage::Answer RegisterCache::take(RegisterAccess& access) {
  begin();
  switch (access.command) {
    case RegisterCommand::read:
      return read(access);
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::release:
      return give_up_for(access, false);
    case RegisterCommand::evict:
      return give_up_for(access, true);
    case RegisterCommand::prepare:
      break;
  }
  return pass(access);
}

RegisterStage::Answer RegisterCache::read(RegisterAccess& access) {
  CacheLine* line = store_.find(access.warp, access.home);
  if (access.direct) return read_direct(access, line);
  if (line && closed_ && access.instruction && is_shared_unit(*access.instruction)) {
    if (!empty_line(*line)) return Answer::refused;
    line = nullptr;
  }
  const LaneMask have = line ? line->valid & access.mask : 0;
  if (line && have == access.mask) return hit(access, *line);
  return read_below(access, line);
}

RegisterStage::Answer RegisterCache::hit(RegisterAccess& access, CacheLine& line) {
  counters_.hit(access);
  *access.values = line.values;
  const Cycle from =
      std::max(earliest(access) + static_cast<Cycle>(parameters_.tag_check_cycles), line.ready);
  const Cycle served = ports_of(line).read.take(from);
  counters_.waited(served - from);
  if (is_last_read(access)) {
    counters_.died(line.dirty != 0);
    store_.give_up(line);
  } else {
    store_.touch(line);
  }
  set_arrival(access, served);
  return Answer::answered;
}

// Reads the missing lanes of a register from the stage below. If the cache allocates lines for source
// operands, a line receives these lanes.
RegisterStage::Answer RegisterCache::read_below(RegisterAccess& access, CacheLine* line) {
  const LaneMask have = line ? line->valid & access.mask : 0;
  const bool last = is_last_read(access);
  const bool fill = allocate_sources_ && !last && !inactive_.contains(access.warp) &&
                    !(closed_ && access.instruction && is_shared_unit(*access.instruction));
  const Cycle asked = access.earliest_service;
  access.earliest_service =
      earliest(access) + static_cast<Cycle>(parameters_.tag_check_cycles + parameters_.miss_cycles);
  CacheLine* taken = nullptr;
  if (fill && !line) {
    line = &store_.place_for(access.warp, access.home);
    if (line->used && !empty_line(*line)) {
      access.earliest_service = asked;
      return Answer::refused;
    }
    store_.take(*line, access.warp, access.home);
    taken = line;
  }
  const Answer answer = have != 0 || fill ? read_through(access, line, have, fill) : pass(access);
  if (answer == Answer::refused) {
    access.earliest_service = asked;
    if (taken) store_.give_up(*taken);
    return answer;
  }
  counters_.missed(access, have);
  if (last && line) {
    counters_.died(line->dirty != 0);
    store_.give_up(*line);
  }
  return answer;
}

RegisterStage::Answer RegisterCache::read_through(RegisterAccess& access, CacheLine* line, LaneMask have,
                                                  bool fill) {
  Own& own = own_.take();
  own.kind = Own::Kind::read;
  own.access = access;
  own.access.mask = access.mask & ~have;
  own.access.values = &own.values;
  own.access.stage = this;
  own.access.owner = &own;
  own.original = &access;
  own.above_mask = have;
  own.served = 0;
  own.line = nullptr;
  if (have) {
    own.above = line->values;
    own.served = ports_of(*line).read.take(
        std::max(earliest(access) + static_cast<Cycle>(parameters_.tag_check_cycles), line->ready));
  }
  const LaneMask before = line ? line->pending : 0;
  if (fill) {
    own.line = line;
    own.generation = line->generation;
    line->pending |= own.access.mask;
    store_.touch(*line);
  }
  const Answer answer = pass(own.access);
  if (answer == Answer::answered) finish_read(own);
  if (answer != Answer::refused) return answer;
  if (fill) line->pending = before;
  own_.give_back(own);
  return answer;
}

// Handles a read that bypasses the cache. If the register has a dirty line, first writes it back.
RegisterStage::Answer RegisterCache::read_direct(RegisterAccess& access, CacheLine* line) {
  if (line && line->dirty && !empty_line(*line)) return Answer::refused;
  const Answer answer = pass(access);
  if (answer != Answer::refused) counters_.read_below();
  return answer;
}

RegisterStage::Answer RegisterCache::write(RegisterAccess& access) {
  CacheLine* line = store_.find(access.warp, access.home);
  if (bypasses(access)) return write_below(access, line);
  CacheLine& into = line ? *line : store_.place_for(access.warp, access.home);
  AccessPorts& port = ports_of(into).write;
  const Cycle from = earliest(access), served = port.next(from);
  if (port.is_full(from, parameters_.queue_entries)) {
    counters_.refused();
    return refuse();
  }
  if (line) {
    store_.touch(into);
  } else {
    if (into.used && !empty_line(into)) return Answer::refused;
    store_.take(into, access.warp, access.home);
  }
  counters_.wrote(access);
  counters_.waited(served - from);
  into.ready = port.take(from);
  into.live = access.live;
  merge_lanes(into.values, *access.values, access.mask);
  store_.cancel_fills(into, access.mask);
  store_.write(into, access.mask, parameters_.liveness_hints && access.annotation().dead);
  return Answer::answered;
}

bool RegisterCache::bypasses(const RegisterAccess& access) const {
  if (access.direct || inactive_.contains(access.warp)) return true;
  if (!access.instruction) return false;
  const isa::Instruction& instruction = *access.instruction;
  if (parameters_.bypass_long_latency && (access.annotation().long_latency || has_long_latency(instruction)))
    return true;
  return closed_ && (is_shared_unit(instruction) || access.annotation().shared_use);
}

RegisterStage::Answer RegisterCache::write_below(RegisterAccess& access, CacheLine* line) {
  const Answer answer = pass(access);
  if (answer == Answer::refused) return answer;
  counters_.wrote_below();
  if (line) store_.drop(*line, access.mask);
  return answer;
}

// Frees the register's line, for a release or for the command `evict` of a stage above, such as an operand
// file. For `evict` (`keep_dirty`), first writes a dirty line back.
RegisterStage::Answer RegisterCache::give_up_for(RegisterAccess& access, bool keep_dirty) {
  CacheLine* line = store_.find(access.warp, access.home);
  if (line && keep_dirty) {
    if (!empty_line(*line)) return Answer::refused;
    line = nullptr;
  }
  const Answer answer = pass(access);
  if (answer != Answer::refused && line) store_.give_up(*line);
  return answer;
}

namespace {
const Registration<RegisterStage, RegisterCache, RegisterCacheParameters> register_cache_entry{
    "register-cache",
    "a hardware-managed cache of registers, written back to the stages below",
    {.kinds = {"level"}, .before = {"mapping", "banks"}}};

const Arrays<RegisterStage> register_cache_arrays{
    "register-cache",
    {{"register cache",
      "if(capacity.private, schedulers * active, if(per_scheduler, schedulers, 1)) * entries",
      "1024",
      "read_ports R, write_ports W",
      {"register_file.register_cache", "register_file.register_cache2"}},
     {"tags",
      "if(capacity.private, schedulers * active, if(per_scheduler, schedulers, 1)) * entries",
      "14",
      "1R1W",
      {"register_file.tags", "register_file.register_cache", "register_file.register_cache2"}}}};
}  // namespace

}  // namespace heddle
