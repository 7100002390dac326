#include "models/stages/register_cache.h"

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
             Ports{AccessPorts(p.read_ports), AccessPorts(p.write_ports)}),
      allocate_sources_(p.allocate == "results-and-sources"),
      closed_(p.shared_units == "closed"),
      unanswered_(static_cast<std::size_t>(c.max_warps)),
      private_reads_(c.stats.add("private_reads", "accesses", "words read here for INT and FP units")),
      shared_reads_(c.stats.add("shared_reads", "accesses", "words read here for memory and SFU units")),
      private_writes_(c.stats.add("private_writes", "accesses", "results of INT and FP units written here")),
      shared_writes_(
          c.stats.add("shared_writes", "accesses", "results of memory and SFU units written here")),
      upper_writes_(c.stats.add("upper_writes", "accesses", "words written here by the stage above")),
      fills_done_(c.stats.add("fills", "accesses", "sources written here that were read from below")),
      read_slices_(
          c.stats.add("read_slices", "slices", "32-byte slices with lanes read, write-backs included")),
      write_slices_(c.stats.add("write_slices", "slices", "32-byte slices with lanes written")),
      tag_checks_(c.stats.add("tag_checks", "accesses", "reads and writes that looked for their register")),
      hits_(c.stats.add("read_hits", "accesses", "reads with every lane here")),
      partial_hits_(c.stats.add("read_partial_hits", "accesses", "reads with some lanes here")),
      misses_(c.stats.add("read_misses", "accesses", "reads with no lane here")),
      replaced_(
          c.stats.add("evictions", "lines", "lines given up for another register, or to be read below")),
      write_backs_(
          c.stats.add("writebacks", "accesses", "evicted lines written below (each a read here too)")),
      flush_write_backs_(c.stats.add("flush_writebacks", "accesses",
                                     "lines of descheduled warps written below (each a read here too)")),
      flushed_warps_(c.stats.add("flushes", "warps", "descheduled warps that left their lines")),
      dead_(c.stats.add("dead_lines", "lines", "lines given up at a last read that were not written below")),
      direct_reads_(c.stats.add("direct_reads", "accesses", "reads from above that went past this stage")),
      bypassed_(c.stats.add("bypassed_writes", "accesses", "words written below past this stage")),
      port_wait_(c.stats.add("port_wait_cycles", "access-cycles", "cycles that accesses waited for a port")),
      refusals_(c.stats.add("refusals", "accesses", "writes refused because too many waited for a port")) {}

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
  ++tag_checks_;
  ++hits_;
  count_read(access, access.mask);
  *access.values = line.values;
  const Cycle from =
      std::max(earliest(access) + static_cast<Cycle>(parameters_.tag_check_cycles), line.ready);
  const Cycle served = ports_of(line).read.take(from);
  port_wait_ += served - from;
  if (is_last_read(access)) {
    if (line.dirty) ++dead_;
    store_.give_up(line);
  } else {
    store_.touch(line);
  }
  set_arrival(access, served);
  return Answer::answered;
}

// A miss, or a hit of some lanes. With sources allocated the answer goes into a line as well.
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
  const bool any_here = have != 0;
  const Answer answer = any_here || fill ? read_through(access, line, have, fill) : pass(access);
  if (answer == Answer::refused) {
    access.earliest_service = asked;
    if (taken) store_.give_up(*taken);
    return answer;
  }
  ++tag_checks_;
  ++(any_here ? partial_hits_ : misses_);
  if (any_here) count_read(access, have);
  if (last && line) {
    if (line->dirty) ++dead_;
    store_.give_up(*line);
  }
  return answer;
}

RegisterStage::Answer RegisterCache::read_through(RegisterAccess& access, CacheLine* line, LaneMask have,
                                                  bool fill) {
  Own& own = take_own();
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
  free_own_.push_back(&own);
  return answer;
}

// Past this stage: what is dirty here is written back first, a clean copy may stay.
RegisterStage::Answer RegisterCache::read_direct(RegisterAccess& access, CacheLine* line) {
  if (line && line->dirty && !empty_line(*line)) return Answer::refused;
  const Answer answer = pass(access);
  if (answer != Answer::refused) ++direct_reads_;
  return answer;
}

RegisterStage::Answer RegisterCache::write(RegisterAccess& access) {
  CacheLine* line = store_.find(access.warp, access.home);
  if (bypasses(access)) return write_below(access, line);
  CacheLine& into = line ? *line : store_.place_for(access.warp, access.home);
  AccessPorts& port = ports_of(into).write;
  const Cycle from = earliest(access), served = port.next(from);
  if (parameters_.write_ports > 0 &&
      served >= from + static_cast<Cycle>((parameters_.queue_entries + parameters_.write_ports - 1) /
                                          parameters_.write_ports)) {
    ++refusals_;
    return refuse();
  }
  if (line) {
    store_.touch(into);
  } else {
    if (into.used && !empty_line(into)) return Answer::refused;
    store_.take(into, access.warp, access.home);
  }
  ++tag_checks_;
  ++(!access.instruction                   ? upper_writes_
     : is_shared_unit(*access.instruction) ? shared_writes_
                                           : private_writes_);
  write_slices_ += slices_of(access.mask);
  port_wait_ += served - from;
  into.ready = port.take(from);
  into.live = access.live;
  merge_lanes(into.values, *access.values, access.mask);
  cancel_fills(into, access.mask);
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
  ++tag_checks_;
  ++bypassed_;
  if (line) drop_lanes(*line, access.mask);
  return answer;
}

// A release, or the request to make room for a copy elsewhere.
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
}

}  // namespace heddle
