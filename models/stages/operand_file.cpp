#include "models/stages/operand_file.h"

#include <fmt/format.h>

#include "models/core/registry.h"
#include "models/isa/operand_entry.h"

namespace heddle {

namespace {

constexpr std::uint8_t kMain = isa::level_bit(isa::kMainLevel);

std::uint8_t upper_levels(const isa::OperandAnnotation& annotation) {
  return static_cast<std::uint8_t>(annotation.write_levels & ~kMain);
}

std::uint8_t level_of(std::uint8_t levels) {
  return levels & isa::level_bit(isa::kLastResultLevel) ? isa::kLastResultLevel : isa::kOperandLevel;
}

std::uint32_t last_result_entries(const OperandFileParameters& p) {
  return p.last_result == "none" ? 0 : p.last_result == "split" ? 3 : 1;
}

}  // namespace

OperandFile::OperandFile(const OperandFileParameters& p, Context& c)
    : UpperStage(c),
      parameters_(p),
      width_(static_cast<std::uint32_t>(p.entries) + last_result_entries(p)),
      past_caches_(p.transfers == "past-caches"),
      entries_(static_cast<std::size_t>(c.max_warps) * width_),
      slots_(c.max_warps),
      warps_(static_cast<std::size_t>(c.max_warps)),
      ports_(static_cast<std::size_t>(c.schedulers) * 2,
             Ports{AccessPorts(p.read_ports), AccessPorts(p.write_ports)}),
      read_slices_(c.stats.add("read_slices", "slices", "32-byte slices with lanes read")),
      write_slices_(c.stats.add("write_slices", "slices", "32-byte slices with lanes written")),
      invalidations_(c.stats.add("invalidations", "warps", "times that a warp's entries lost their values")),
      kept_writes_(c.stats.add("kept_writes", "accesses", "results that were not written below")),
      held_writes_(
          c.stats.add("held_writes", "accesses", "results that waited for earlier reads of entries")),
      fill_waits_(c.stats.add("fill_waits", "accesses", "reads that waited for their entry to be filled")),
      port_wait_(c.stats.add("port_wait_cycles", "access-cycles", "cycles that accesses waited for a port")),
      refusals_(c.stats.add("refusals", "accesses", "results refused because too many waited for a port")) {
  for (Entry& entry : entries_) entry.values.fill(kPoison);
  static constexpr const char* kLevels[] = {"operand", "last_result"};
  for (int level = 0; level < 2; ++level) {
    const auto add = [&](const char* what, const char* doc) {
      return &c.stats.add(fmt::format("{}_{}", kLevels[level], what), "accesses",
                          fmt::format("{} level: {}", kLevels[level], doc));
    };
    counters_[level] = {add("private_reads", "words read for INT and FP units"),
                        add("shared_reads", "words read for memory and SFU units"),
                        add("private_writes", "results of INT and FP units written"),
                        add("shared_writes", "results of memory and SFU units written"),
                        add("fills", "sources written that were read from below")};
  }
}

void misuse_entries(const std::string& stage, const isa::Instruction* instruction, const std::string& what) {
  throw Error(fmt::format("{}: {}", stage, instruction ? isa::to_string(*instruction) : "access"),
              fmt::format("line {}: {}", instruction ? instruction->location.ptx_line : 0, what),
              "an allocation of entries that was made for this operand file");
}

std::uint32_t OperandFile::entry_of(const isa::Instruction& i, const isa::OperandAnnotation& a,
                                    std::uint8_t word, std::uint8_t level) const {
  const auto entries = static_cast<std::uint32_t>(parameters_.entries);
  if (level == isa::kOperandLevel) {
    const std::uint32_t entry = isa::operand_entry(a, word);
    if (entry >= entries) misuse_entries(name(), &i, fmt::format("entry {} of {}", entry, entries));
    return entry;
  }
  if (entries + a.slot >= width_ || word != 0)
    misuse_entries(name(), &i,
                   fmt::format("the last-result level has no entry for slot {}, word {}", a.slot, word));
  if (!parameters_.last_result_shared && parameters_.checked && is_shared_unit(i))
    misuse_entries(name(), &i, "a memory or special-function unit does not reach the last-result level");
  return entries + a.slot;
}

void OperandFile::issued(const InFlight& item) {
  const isa::Instruction& instruction = *item.instruction;
  const WarpId id = item.warp();
  if (item.collects()) announce(id, instruction, item.mask);
  if (!instruction.ends_strand) return;
  Warp& warp = warps_[id.value];
  warp.in_strand = false;
  warp.order.end_strand();
  if (warp.order.strand_ended()) invalidate(id);
}

void OperandFile::announce(WarpId id, const isa::Instruction& instruction, LaneMask mask) {
  Warp& warp = warps_[id.value];
  const auto announce_write = [&](const isa::Operand& operand, std::uint8_t slot, bool fill) {
    const std::uint8_t levels = upper_levels(operand.annotation);
    if (!operand.is_reg() || levels == 0) return;
    for (int word = 0; word < operand.words(); ++word) {
      OperandOrder::Write write;
      write.instruction = &instruction;
      write.fill = fill;
      write.slot = slot;
      write.word = static_cast<std::uint8_t>(word);
      write.entry = entry_of(instruction, operand.annotation, write.word, level_of(levels));
      write.lanes = mask;
      warp.order.issue_write(write);
    }
    warp.in_strand = true;
  };
  bool fills = false;
  for (const isa::Operand& source : instruction.sources()) {
    if (!source.is_reg()) continue;
    if (source.annotation.read_level == isa::kMainLevel) {
      fills |= upper_levels(source.annotation) != 0;
      continue;
    }
    for (int word = 0; word < source.words(); ++word) warp.order.issue_read();
    warp.in_strand = true;
  }
  for (std::uint8_t slot = 0; fills && slot < instruction.num_src; ++slot)
    if (instruction.src[slot].annotation.read_level == isa::kMainLevel)
      announce_write(instruction.src[slot], slot, true);
  for (std::uint8_t slot = 0; slot < instruction.num_dst; ++slot)
    announce_write(instruction.dst[slot], slot, false);
}

RegisterStage::Answer OperandFile::take(RegisterAccess& access) {
  begin();
  if (access.command == RegisterCommand::read) return read(access);
  if (access.command == RegisterCommand::write) return write(access);
  const bool gone = access.command == RegisterCommand::release || access.command == RegisterCommand::evict;
  const Answer answer = pass(access);
  if (answer != Answer::refused && gone) supersede(access.warp, access.home, kAllLanes);
  return answer;
}

RegisterStage::Answer OperandFile::read(RegisterAccess& access) {
  if (access.annotation().read_level != isa::kMainLevel) return read_entry(access);
  return upper_levels(access.annotation()) ? read_and_fill(access) : pass(access);
}

RegisterStage::Answer OperandFile::read_entry(RegisterAccess& access) {
  Warp& warp = warps_[access.warp.value];
  const std::uint8_t level = access.annotation().read_level;
  const std::uint32_t number =
      entry_of(*access.instruction, access.annotation(), access.operand->word, level);
  Entry& from = entry(access.warp, number);
  LaneMask missing = access.mask;
  for (const Content& content : from.contents)
    if (content.reg == access.home) missing &= ~content.lanes;
  const Cycle earliest_read = std::max(earliest(access), from.ready);
  const Cycle served = ports_of(access.warp, number).read.take(earliest_read);
  port_wait_ += served - earliest_read;
  const LevelCounters& counters = counters_[holds_last_result(number)];
  ++*(is_shared_unit(*access.instruction) ? counters.shared_reads : counters.private_reads);
  read_slices_ += slices_of(access.mask);
  *access.values = from.values;
  const LaneMask to_come = missing ? wait_for_fills(access, number, missing, *access.values) : 0;
  if (to_come) {
    ++fill_waits_;
    waiters_.push_back({&access, number, to_come, served});
  } else {
    set_arrival(access, served);
  }
  warp.order.read_taken();
  if (warp.order.strand_ended()) invalidate(access.warp);
  if (!held_.empty()) write_held();
  return to_come ? Answer::accepted : Answer::answered;
}

RegisterStage::Answer OperandFile::write(RegisterAccess& access) {
  const WarpId warp = access.warp;
  if (!access.instruction || upper_levels(access.annotation()) == 0) {
    const Answer answer = pass(access);
    if (answer != Answer::refused) supersede(warp, access.home, access.mask);
    return answer;
  }
  OperandOrder& order = warps_[warp.value].order;
  OperandOrder::Write* write = order.find(access, false);
  if (!write) throw InternalError("operand file: a result that was not announced at issue");
  const Cycle from = earliest(access);
  if (parameters_.write_ports > 0 &&
      ports_of(warp, write->entry).write.next(from) >=
          from + static_cast<Cycle>((parameters_.queue_entries + parameters_.write_ports - 1) /
                                    parameters_.write_ports)) {
    ++refusals_;
    return refuse();
  }
  if (!order.may_write(write->reads_before)) {
    write->begun = true;
    held_.push_back({&access, write->id, write->reads_before});
    ++held_writes_;
    return Answer::accepted;
  }
  return finish_write(access, write->id);
}

// The stage below is asked first: what it refuses leaves no trace here.
RegisterStage::Answer OperandFile::finish_write(RegisterAccess& access, std::uint64_t id) {
  const WarpId warp = access.warp;
  const Cycle from = earliest(access);
  const bool main = access.annotation().write_levels & kMain;
  Answer answer = Answer::answered;
  if (!main && past_caches_ && !make_room_below(access)) return Answer::refused;
  if (main) {
    access.direct = past_caches_;
    answer = pass(access);
    if (answer == Answer::refused) {
      access.direct = false;
      return answer;
    }
  }
  OperandOrder& order = warps_[warp.value].order;
  const OperandOrder::Write write = *order.find(id);
  supersede(warp, access.home, access.mask);
  put(warp, write.entry, access.home, *access.values, write.lanes);
  order.done(id);
  const Cycle served = ports_of(warp, write.entry).write.take(from);
  port_wait_ += served - from;
  entry(warp, write.entry).ready = served;
  const LevelCounters& counters = counters_[holds_last_result(write.entry)];
  ++*(is_shared_unit(*access.instruction) ? counters.shared_writes : counters.private_writes);
  write_slices_ += slices_of(access.mask);
  if (!main) ++kept_writes_;
  return answer;
}

// Caches beside give up their copy of a register that an entry gets a new value of.
bool OperandFile::make_room_below(const RegisterAccess& access) {
  if (free_evictions_.empty()) free_evictions_.push_back(&evictions_.emplace_back());
  RegisterAccess& eviction = *free_evictions_.back();
  free_evictions_.pop_back();
  eviction = {};
  eviction.command = RegisterCommand::evict;
  eviction.set_register(access.warp, access.home);
  eviction.live = access.live;
  eviction.source = RegisterAccess::kResultBus;
  eviction.stage = this;
  const Answer answer = pass(eviction);
  if (answer != Answer::accepted) free_evictions_.push_back(&eviction);
  return answer != Answer::refused;
}

void OperandFile::write_held() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Held held = held_[i];
    const OperandOrder& order = warps_[held.access->warp.value].order;
    Answer answer = Answer::refused;
    if (order.may_write(held.reads_before)) answer = finish_write(*held.access, held.id);
    if (answer == Answer::answered) respond(*held.access);
    if (answer == Answer::refused) held_[kept++] = held;
  }
  held_.resize(kept, Held{nullptr, 0, 0});
}

void OperandFile::warp_deactivated(WarpId warp) {
  UpperStage::warp_deactivated(warp);
  set_flushed_at_once(warp);  // nothing is written back: the slot can go on at once
  if (!parameters_.flush_on_deschedule) return;
  warps_[warp.value].in_strand = false;
  warps_[warp.value].order.end_strand();
}

void OperandFile::take_event(const Event& event) {
  if (event.kind == Event::Kind::activated || !parameters_.flush_on_deschedule) return;
  (void)warps_[event.warp.value].order.strand_ended();
  invalidate(event.warp);
  slots_.leave(event.warp);
}

void OperandFile::give_up(WarpId warp) {
  warps_[warp.value].order.reset();
  warps_[warp.value].in_strand = false;
  for (Fill* fill : fills_)
    if (fill->access.warp == warp) fill->id = 0;
  invalidate(warp);
  slots_.leave(warp);
}

namespace {
const Registration<RegisterStage, OperandFile, OperandFileParameters> operand_file_entry{
    "operand-file",
    "entries that the compiler manages: an operand level and a last-result level",
    {.kinds = {"level"}, .before = {"register-cache", "mapping", "banks"}}};
}

}  // namespace heddle
