#include "models/regfile/register_cache.h"

#include "models/core/registry.h"
#include "models/regfile/register_file_parameters.h"
#include "models/regfile/register_map.h"

namespace heddle {

void RegisterCacheParameters::fields(FieldVisitor& v) {
  v.field("entries", entries, {1, 1024},
          "registers held: of a warp (private), or of all warps of a structure (shared). 000, 7.4: 6 a warp; "
          "004, "
          "III-A4: 4 an active warp, so 16 of a scheduler with 4");
  v.field("capacity", capacity, {"private", "shared"},
          "every active warp has a partition of its own (000), or they share the lines (004, II-C3)");
  v.field("ways", ways, {0, 1024}, "lines of a set; 0: fully associative (000), 1: direct mapped, 2: 004");
  v.field("replacement", replacement, {"fifo", "lru"}, "fifo (000, 4.1) or lru (004, III-A2)");
  v.field("allocate", allocate, {"results", "results-and-sources"},
          "what gets a line: results alone, or sources that were read from below too (000, 4.1)");
  v.field("bypass_long_latency", bypass_long_latency,
          "results of long-latency operations are written below (000, 4.6)");
  v.field("liveness_hints", liveness_hints,
          "obey the compiler's: a value is given up after its last read and dead ones are not written below");
  v.field(
      "flush_on_deschedule", flush_on_deschedule,
      "a warp that gives up its active slot writes its dirty values below and leaves its lines (000, 4.6); "
      "false: they stay until they are replaced (004, II-C3)");
  v.field("shared_units", shared_units, {"open", "closed"},
          "whether memory and special-function units read and write here; closed: 000's L0 (4.4)");
  v.field("tag_check_cycles", tag_check_cycles, {0, 16},
          "cycles that the tag check adds to every read. 0: 000's extra stage leaves back-to-back latencies "
          "alone (4.1); its cycle of branch resolution belongs to front_end.latency_cycles");
  v.field("miss_cycles", miss_cycles, {0, 16}, "cycles more for a read that misses (004, IV-D: 1)");
  v.field("read_ports", read_ports, {0, 64}, "reads a cycle and bank (000, 4.5: 3; 004: 6); 0: unlimited");
  v.field("write_ports", write_ports, {0, 64}, "writes a cycle and bank (000, 4.5: 1; 004: 2); 0: unlimited");
  v.field("banks", banks, {1, 64}, "banks of the storage, lines in turn, each with ports of its own");
  v.field("queue_entries", queue_entries, {1, 4096}, "writes that may wait for a port of a bank");
  v.field("per_scheduler", per_scheduler,
          "ports, and shared lines, of its own for every scheduler of the partition (004, III-A3)");
}

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
      map_(*c.map),
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
  CacheLine* line = store_.find(access.warp, access.reg);
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
  answer_read(access, served);
  return Answer::accepted;
}

// A miss, or a hit of some lanes. With sources allocated the answer goes into a line as well.
RegisterStage::Answer RegisterCache::read_below(RegisterAccess& access, CacheLine* line) {
  const LaneMask have = line ? line->valid & access.mask : 0;
  const bool last = is_last_read(access);
  const bool fill = allocate_sources_ && !last && !inactive(access.warp) &&
                    !(closed_ && access.instruction && is_shared_unit(*access.instruction));
  const Cycle asked = access.earliest_service;
  access.earliest_service =
      earliest(access) + static_cast<Cycle>(parameters_.tag_check_cycles + parameters_.miss_cycles);
  CacheLine* taken = nullptr;
  if (fill && !line) {
    line = &store_.place_for(access.warp, access.reg);
    if (line->used && !empty_line(*line)) {
      access.earliest_service = asked;
      return Answer::refused;
    }
    store_.take(*line, access.warp, access.reg);
    line->place = map_.at(access.warp, access.reg);
    taken = line;
  }
  const bool any_here = have != 0;
  const LaneMask mask = access.mask;
  const RegisterAccess counted = access;
  const Answer answer = any_here || fill ? read_through(access, line, have, fill) : pass(access);
  if (answer == Answer::refused) {
    access.earliest_service = asked;
    if (taken) store_.give_up(*taken);
    return answer;
  }
  ++tag_checks_;
  ++(any_here ? partial_hits_ : misses_);
  if (any_here) count_read(counted, have & mask);
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
  if (send(own.access)) return Answer::accepted;
  if (fill) line->pending = before;
  free_own_.push_back(&own);
  return Answer::refused;
}

// Past this stage: what is dirty here is written back first, a clean copy may stay.
RegisterStage::Answer RegisterCache::read_direct(RegisterAccess& access, CacheLine* line) {
  if (line && line->dirty && !empty_line(*line)) return Answer::refused;
  if (pass(access) == Answer::refused) return Answer::refused;
  ++direct_reads_;
  return Answer::accepted;
}

RegisterStage::Answer RegisterCache::write(RegisterAccess& access) {
  CacheLine* line = store_.find(access.warp, access.reg);
  if (bypasses(access)) return write_below(access, line);
  CacheLine& into = line ? *line : store_.place_for(access.warp, access.reg);
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
    store_.take(into, access.warp, access.reg);
    into.place = map_.at(access.warp, access.reg);
  }
  ++tag_checks_;
  ++(!access.instruction                   ? upper_writes_
     : is_shared_unit(*access.instruction) ? shared_writes_
                                           : private_writes_);
  write_slices_ += slices_of(access.mask);
  port_wait_ += served - from;
  into.ready = port.take(from);
  merge_lanes(into.values, *access.values, access.mask);
  cancel_fills(into, access.mask);
  into.valid |= access.mask;
  if (parameters_.liveness_hints && access.annotation.dead)
    into.dirty &= ~access.mask;
  else
    into.dirty |= access.mask;
  respond(access);
  return Answer::accepted;
}

bool RegisterCache::bypasses(const RegisterAccess& access) const {
  if (access.direct || inactive(access.warp)) return true;
  if (!access.instruction) return false;
  const isa::Instruction& instruction = *access.instruction;
  if (parameters_.bypass_long_latency && (access.annotation.long_latency || has_long_latency(instruction)))
    return true;
  return closed_ && (is_shared_unit(instruction) || access.annotation.shared_use);
}

RegisterStage::Answer RegisterCache::write_below(RegisterAccess& access, CacheLine* line) {
  const LaneMask mask = access.mask;
  if (pass(access) == Answer::refused) return Answer::refused;
  ++tag_checks_;
  ++bypassed_;
  if (line) drop_lanes(*line, mask);
  return Answer::accepted;
}

// A release, or the request to make room for a copy elsewhere.
RegisterStage::Answer RegisterCache::give_up_for(RegisterAccess& access, bool keep_dirty) {
  if (CacheLine* line = store_.find(access.warp, access.reg); line && keep_dirty) {
    if (!empty_line(*line)) return Answer::refused;
  }
  const WarpId warp = access.warp;
  const RegId reg = access.reg;
  if (pass(access) == Answer::refused) return Answer::refused;
  if (CacheLine* line = store_.find(warp, reg)) store_.give_up(*line);
  return Answer::accepted;
}

// Reads of these lanes that are under way below bring an older value.
void RegisterCache::cancel_fills(CacheLine& line, LaneMask lanes) {
  if (!(line.pending & lanes)) return;
  line.pending = 0;
  ++line.generation;
}

void RegisterCache::drop_lanes(CacheLine& line, LaneMask lanes) {
  cancel_fills(line, lanes);
  line.valid &= ~lanes;
  line.dirty &= ~lanes;
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
  own.access.warp = line.warp;
  own.access.reg = line.reg;
  own.access.place = line.place;
  own.access.mask = lanes;
  own.access.values = &own.values;
  own.access.source = RegisterAccess::kResultBus;
  own.access.stage = this;
  own.access.owner = &own;
  own.access.direct = flush;
  own.access.earliest_service = std::max(now() + 1, line.ready);
  const std::uint32_t warp = line.warp.value;
  ++unanswered_[warp];
  if (!send(own.access)) {
    --unanswered_[warp];
    free_own_.push_back(&own);
    return false;
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
    clock().wake_next();
    return;
  }
  RegisterAccess& original = *own.original;
  *original.values = own.values;
  merge_lanes(*original.values, own.above, own.above_mask);
  original.data_at = own.access.data_at;
  const Cycle served = own.served;
  if (own.line) {
    own.arrived = now();
    fills_.push_back(&own);
    clock().wake_next();
  } else {
    free_own_.push_back(&own);
  }
  if (served)
    answer_read(original, served);
  else
    respond(original);
}

void RegisterCache::begin_cycle() {
  std::size_t kept = 0;
  for (Own* own : fills_) {
    if (own->arrived >= now()) {
      fills_[kept++] = own;
      continue;
    }
    CacheLine& line = *own->line;
    free_own_.push_back(own);
    const LaneMask lanes =
        own->generation == line.generation ? own->access.mask & line.pending & ~line.valid : 0;
    if (!lanes) continue;
    merge_lanes(line.values, own->values, lanes);
    line.valid |= lanes;
    line.pending &= ~lanes;
    line.ready = ports_of(line).write.take(now());
    write_slices_ += slices_of(lanes);
    ++fills_done_;
  }
  fills_.resize(kept);
  if (!flushes_.empty()) flush();
}

void RegisterCache::take_event(const Event& event) {
  const std::uint64_t bit = std::uint64_t{1} << event.warp.value;
  switch (event.kind) {
    case Event::Kind::activated:
      inactive_ &= ~bit;
      return;
    case Event::Kind::deactivated: {
      inactive_ |= bit;
      const auto [first, end] = store_.range_of(event.warp);
      flushes_.push_back({event.warp, first, end});
      ++flushed_warps_;
      return;
    }
    case Event::Kind::ended:
      inactive_ &= ~bit;
      std::erase_if(flushes_, [&event](const Flush& flush) { return flush.warp == event.warp; });
      store_.leave(event.warp);
      return;
  }
}

// As many lines a cycle as there are read ports, warp after warp in the order of their descheduling.
void RegisterCache::flush() {
  std::size_t kept = 0;
  for (Flush& flush : flushes_)
    if (!flush_some(flush)) flushes_[kept++] = flush;
  flushes_.resize(kept, Flush{WarpId{}, 0, 0});
  if (kept && may_send()) clock().wake_next();
}

bool RegisterCache::flush_some(Flush& flush) {
  int left = parameters_.read_ports == 0 ? parameters_.entries : parameters_.read_ports;
  for (; flush.at < flush.end; ++flush.at) {
    CacheLine& line = store_.line(flush.at);
    if (!line.used || line.warp != flush.warp) continue;
    const LaneMask lanes = flushes(line) ? unwritten(line) : 0;
    if (lanes) {
      if (left-- == 0 || !may_send() || !write_back(line, lanes, true)) return false;
      ++flush_write_backs_;
    }
    store_.give_up(line);
  }
  if (unanswered_[flush.warp.value]) return false;
  store_.leave(flush.warp);
  set_flushed(flush.warp, now());
  clock().wake_next();
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
  if (const CacheLine* line = store_.find(access.warp, access.reg))
    merge_lanes(*access.values, line->values, line->valid);
}

bool RegisterCache::flip_bit(WarpId warp, RegId reg, int lane, int bit) {
  CacheLine* line = store_.find(warp, reg);
  if (!line || !(line->valid >> lane & 1)) return false;
  line->values[lane] ^= std::uint32_t{1} << bit;
  return true;
}

namespace {
const Registration<RegisterStage, RegisterCache, RegisterCacheParameters> registered{
    "register-cache", "a hardware-managed cache of registers, written back to the stages below"};
}

}  // namespace heddle
