#include "models/stages/operand_file.h"

#include <fmt/format.h>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"
#include "models/isa/operand_entry.h"

namespace heddle {

namespace {

constexpr std::uint8_t kMain = isa::level_bit(isa::kMainLevel);

std::uint32_t last_result_entries(const OperandFileParameters& p) {
  return p.last_result == "none" ? 0 : p.last_result == "split" ? 3 : 1;
}

}  // namespace

OperandFile::OperandFile(const OperandFileParameters& p, Context& c)
    : UpperStage(c),
      parameters_(p),
      past_caches_(p.transfers == "past-caches"),
      entries_(c.max_warps, static_cast<std::uint32_t>(p.entries) + last_result_entries(p)),
      warps_(static_cast<std::size_t>(c.max_warps)),
      ports_(static_cast<std::size_t>(c.schedulers) * 2,
             ReadWritePorts{AccessPorts(p.read_ports), AccessPorts(p.write_ports)}),
      read_slices_(c.stats.add("read_slices", "slices", "32-byte slices with lanes read")),
      write_slices_(c.stats.add("write_slices", "slices", "32-byte slices with lanes written")),
      invalidations_(c.stats.add("invalidations", "warps", "times that a warp's entries lost their values")),
      kept_writes_(c.stats.add("kept_writes", "accesses", "results that were not written below")),
      held_writes_(
          c.stats.add("held_writes", "accesses", "results that waited for earlier reads of entries")),
      fill_waits_(c.stats.add("fill_waits", "accesses", "reads that waited for their entry to be filled")),
      port_wait_(c.stats.add("port_wait_cycles", "access-cycles", "cycles that accesses waited for a port")),
      refusals_(c.stats.add("refusals", "accesses", "results refused because too many waited for a port")) {
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

void OperandFile::misuse(const isa::Instruction* instruction, const std::string& what) const {
  throw Error(fmt::format("{}: {}", name(), instruction ? isa::to_string(*instruction) : "access"),
              fmt::format("line {}: {}", instruction ? instruction->location.ptx_line : 0, what),
              "an allocation of entries for this operand file");
}

std::uint32_t OperandFile::entry_of(const isa::Instruction& i, const isa::OperandAnnotation& a,
                                    std::uint8_t word, std::uint8_t level) const {
  const auto entries = static_cast<std::uint32_t>(parameters_.entries);
  if (level == isa::kOperandLevel) {
    const std::uint32_t entry = isa::operand_entry(a, word);
    if (entry >= entries) misuse(&i, fmt::format("entry {} of {}", entry, entries));
    return entry;
  }
  if (entries + a.slot >= entries_.width() || word != 0)
    misuse(&i, fmt::format("the last-result level has no entry for slot {}, word {}", a.slot, word));
  if (!parameters_.last_result_shared && parameters_.checked && is_shared_unit(i))
    misuse(&i, "a memory or special-function unit does not reach the last-result level");
  return entries + a.slot;
}

void OperandFile::issued(const InFlight& item) {
  const isa::Instruction& instruction = *item.instruction;
  const WarpId id = item.warp();
  Warp& warp = warps_[id.value];
  const auto entry = [&](const isa::OperandAnnotation& operand, std::uint8_t word, std::uint8_t level) {
    return entry_of(instruction, operand, word, level);
  };
  if (item.collects() && warp.order.issue(instruction, item.mask, entry)) warp.in_strand = true;
  if (!instruction.ends_strand) return;
  warp.in_strand = false;
  warp.order.end_strand();
  if (warp.order.strand_ended()) invalidate(id);
}

RegisterStage::Answer OperandFile::take(RegisterAccess& access) {
  begin();
  if (access.command == RegisterCommand::read) return read(access);
  if (access.command == RegisterCommand::write) return write(access);
  const bool gone = access.command == RegisterCommand::release || access.command == RegisterCommand::evict;
  const Answer answer = pass(access);
  if (answer != Answer::refused && gone) entries_.supersede(access.warp, access.home, kAllLanes);
  return answer;
}

RegisterStage::Answer OperandFile::read(RegisterAccess& access) {
  if (access.annotation().read_level != isa::kMainLevel) return read_entry(access);
  return OperandOrder::written_levels(access.annotation()) ? read_and_fill(access) : pass(access);
}

RegisterStage::Answer OperandFile::read_entry(RegisterAccess& access) {
  Warp& warp = warps_[access.warp.value];
  const std::uint8_t level = access.annotation().read_level;
  const std::uint32_t number =
      entry_of(*access.instruction, access.annotation(), access.operand->word, level);
  const OperandEntries::Entry& from = entries_.at(access.warp, number);
  LaneMask missing = from.missing(access.home, access.mask);
  const Cycle earliest_read = std::max(earliest(access), from.ready);
  const Cycle served = ports_of(access.warp, number).read.take(earliest_read);
  port_wait_ += served - earliest_read;
  const LevelCounters& counters = counters_[holds_last_result(number)];
  ++*(is_shared_unit(*access.instruction) ? counters.shared_reads : counters.private_reads);
  read_slices_ += slices_of(access.mask);
  *access.values = from.values;
  const LaneMask to_come = missing ? fills_.take_filled(access, number, missing) : 0;
  if (missing && parameters_.checked)
    misuse(
        access.instruction,
        fmt::format("warp {} reads r{} from entry {} of the {} level, which does not hold it in lanes {:08x}",
                    access.warp.value, access.home.value, number,
                    holds_last_result(number) ? "last-result" : "operand", missing));
  if (to_come) {
    ++fill_waits_;
    fills_.wait(access, number, to_come, served);
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
  if (!access.instruction || OperandOrder::written_levels(access.annotation()) == 0) {
    const Answer answer = pass(access);
    if (answer != Answer::refused) entries_.supersede(warp, access.home, access.mask);
    return answer;
  }
  OperandOrder& order = warps_[warp.value].order;
  OperandOrder::Write* write = order.find(access, false);
  if (!write) throw InternalError("operand file: a result that was not announced at issue");
  if (ports_of(warp, write->entry).write.is_full(earliest(access), parameters_.queue_entries)) {
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

// Writes a result into its entry. If the result also goes to the banks, first sends it to the stage below, so
// that a refusal leaves the state of this stage unchanged.
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
  entries_.supersede(warp, access.home, access.mask);
  entries_.put(warp, write.entry, access.home, *access.values, write.lanes);
  order.done(id);
  const Cycle served = ports_of(warp, write.entry).write.take(from);
  port_wait_ += served - from;
  entries_.at(warp, write.entry).ready = served;
  const LevelCounters& counters = counters_[holds_last_result(write.entry)];
  ++*(is_shared_unit(*access.instruction) ? counters.shared_writes : counters.private_writes);
  write_slices_ += slices_of(access.mask);
  if (!main) ++kept_writes_;
  return answer;
}

// Evicts the register from the caches below, before an entry gets a new value of the register. Returns false
// if the stage below refuses the eviction.
bool OperandFile::make_room_below(const RegisterAccess& access) {
  RegisterAccess& eviction = evictions_.take();
  eviction = {};
  eviction.command = RegisterCommand::evict;
  eviction.set_register(access.warp, access.home);
  eviction.live = access.live;
  eviction.source = RegisterAccess::kResultBus;
  eviction.stage = this;
  const Answer answer = pass(eviction);
  if (answer != Answer::accepted) evictions_.give_back(eviction);
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
  set_flushed_at_once(warp);
  if (!parameters_.flush_on_deschedule) return;
  warps_[warp.value].in_strand = false;
  warps_[warp.value].order.end_strand();
}

void OperandFile::take_event(const Event& event) {
  if (event.kind == Event::Kind::activated || !parameters_.flush_on_deschedule) return;
  (void)warps_[event.warp.value].order.strand_ended();
  invalidate(event.warp);
  entries_.leave(event.warp);
}

void OperandFile::give_up(WarpId warp) {
  warps_[warp.value].order.reset();
  warps_[warp.value].in_strand = false;
  fills_.forget(warp);
  invalidate(warp);
  entries_.leave(warp);
}

RegisterStage::Answer OperandFile::read_and_fill(RegisterAccess& access) {
  OperandOrder::Write* write = warps_[access.warp.value].order.find(access, true);
  if (!write) throw InternalError("operand file: a read allocation that was not announced at issue");
  OperandFills::Fill& fill = fills_.begin(access, *write, *this);
  fill.access.direct = past_caches_;
  write->begun = true;
  const Answer answer = pass(fill.access);
  if (answer == Answer::answered) finish_fill(fill);
  if (answer != Answer::refused) return answer;
  write->begun = false;
  fills_.undo_begin();
  return answer;
}

void OperandFile::answered(RegisterAccess& access) {
  if (access.stage != this) {
    respond(access);
    return;
  }
  if (access.command == RegisterCommand::evict) {
    evictions_.give_back(access);
    return;
  }
  auto& fill = *static_cast<OperandFills::Fill*>(access.owner);
  RegisterAccess& original = *fill.original;
  finish_fill(fill);
  respond(original);
}

void OperandFile::finish_fill(OperandFills::Fill& fill) {
  clock().wake();
  fills_.finish(now(), fill, [this](RegisterAccess& read, Cycle served) {
    set_arrival(read, served);
    respond(read);
  });
}

void OperandFile::begin_cycle() {
  fills_.take_finished(now(), [this](const OperandFills::Fill& fill) { put_fill(fill); });
  if (!held_.empty()) write_held();
}

void OperandFile::put_fill(const OperandFills::Fill& fill) {
  const WarpId warp = fill.access.warp;
  OperandOrder& order = warps_[warp.value].order;
  const OperandOrder::Write* write = order.find(fill.id);
  if (!write) return;
  entries_.put(warp, fill.entry, fill.access.home, fill.values, write->lanes);
  order.done(fill.id);
  entries_.at(warp, fill.entry).ready = ports_of(warp, fill.entry).write.take(now());
  ++*counters_[holds_last_result(fill.entry)].fills;
  write_slices_ += slices_of(fill.access.mask);
}

void OperandFile::debug_read(RegisterAccess& access) {
  initiator->transport_dbg(access);
  entries_.read(access.warp, access.home, *access.values);
  for (const Held& held : held_)
    if (held.access->warp == access.warp && held.access->home == access.home)
      merge_lanes(*access.values, *held.access->values, held.access->mask);
}

bool OperandFile::flip_bit(RegisterAccess& access, int lane, int bit) {
  return entries_.flip_bit(access.warp, access.home, lane, bit);
}

std::optional<StageBalance> OperandFile::balance(const RegisterFlow& came) const {
  StageBalance balance;
  balance.passed = came;
  for (const LevelCounters& level : counters_)
    balance.passed.reads -= level.private_reads->value() + level.shared_reads->value();
  balance.passed.writes -= kept_writes_.value();
  return balance;
}

namespace {
const Registration<RegisterStage, OperandFile, OperandFileParameters> operand_file_entry{
    "operand-file",
    "entries that the compiler manages: an operand level and a last-result level",
    {.kinds = {"level"}, .before = {"register-cache", "mapping", "banks"}}};

const Arrays<RegisterStage> operand_file_arrays{
    "operand-file",
    {{"operand file",
      "schedulers * active * entries",
      "1024",
      "read_ports R, write_ports W",
      {"register_file.operand_file"}},
     {"last result file",
      "schedulers * active * (3 * last_result.split + last_result.unified)",
      "1024",
      "1R1W",
      {"register_file.last_result", "register_file.operand_file"}}}};
}  // namespace

}  // namespace heddle
