#include "models/stages/interval_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {

void IntervalFileParameters::fields(FieldVisitor& v) {
  v.field("registers", registers, {4, 255},
          "registers of a warp that the file holds, as in the pass register-intervals (LTRF: 16)");
  v.field("flush_on_deschedule", flush_on_deschedule,
          "a warp that gives up its active slot writes its results below and loads its registers again when "
          "it is "
          "back (LTRF: 8 active warps); false: the file has room for all warps");
}

IntervalFile::IntervalFile(const IntervalFileParameters& parameters, Context& context)
    : UpperStage(context),
      parameters_(parameters),
      watch_(static_cast<std::size_t>(context.max_warps)),
      gate_(*context.clock, context.max_warps, parameters.flush_on_deschedule),
      warps_(static_cast<std::size_t>(context.max_warps)),
      tags_(context.stats.add("tag_checks", "accesses", "reads and writes that searched for their register")),
      hits_(context.stats.add("read_hits", "accesses", "reads that the file served")),
      writes_(context.stats.add("writes", "accesses", "results written here")),
      passed_(context.stats.add(
          "passed_reads", "accesses",
          "reads of stages above, and of instructions outside of all intervals, that went below")),
      late_(context.stats.add("late_writes", "accesses", "results that came after their interval was left")),
      fetched_(context.stats.add("fetched", "accesses", "registers read below for an interval")),
      came_(context.stats.add("fetches_ended", "accesses", "registers that came for an interval")),
      backs_(
          context.stats.add("writebacks", "accesses", "registers written below as their interval was left")),
      dropped_(context.stats.add("dropped_writes", "lines",
                                 "dirty registers not written below because they are dead")),
      moves_(context.stats.add("moves", "moves", "entries of warps into another interval")) {}

void IntervalFile::kernel_begins(const KernelBegins& kernel) {
  const isa::Notes& notes = kernel.program->notes;
  const auto budget = isa::NotedWords(notes, "interval-budget").in(notes.of_program());
  if (budget.empty())
    throw Error("gpu.sm.register_file.stages[interval-file]",
                fmt::format("the compiler has not cut kernel {} into intervals", kernel.program->kernel),
                "with the pass register-intervals");
  if (budget[0] > static_cast<std::uint64_t>(parameters_.registers))
    throw Error("gpu.sm.register_file.stages[interval-file].registers",
                fmt::format("{}: the intervals of kernel {} have up to {}", parameters_.registers,
                            kernel.program->kernel, budget[0]),
                "at least the registers of the pass register-intervals");
  gate_.begin_kernel(*kernel.program);
}

RegisterStage::Answer IntervalFile::take(RegisterAccess& access) {
  begin();
  switch (access.command) {
    case RegisterCommand::read:
      return read(access);
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::release:
      return release(access);
    case RegisterCommand::evict:
      return evict(access);
    case RegisterCommand::prepare:
      break;
  }
  return pass(access);
}

RegisterStage::Answer IntervalFile::read(RegisterAccess& access) {
  Entry* const entry = find(access.warp, access.home);
  if (entry && !access.direct) {
    if (entry->filling) return refuse();
    ++hits_;
    ++tags_;
    *access.values = entry->values;
    set_arrival(access, std::max(earliest(access), entry->ready));
    return Answer::answered;
  }
  if (entry && entry->dirty && !write_below(access.warp, *entry)) return Answer::refused;
  const bool of_interval = access.instruction && gate_.in_interval(*access.instruction);
  if (of_interval && !access.direct && !of(access.warp).absent.test(access.home.value)) miss(access);
  const Answer answer = pass(access);
  if (answer == Answer::refused) return answer;
  ++tags_;
  ++passed_;
  return answer;
}

void IntervalFile::miss(const RegisterAccess& access) const {
  throw InternalError(fmt::format("{}: \"{}\" of warp {} reads r{}, which its interval has not loaded",
                                  name(), to_string(*access.instruction), access.warp.value,
                                  access.home.value));
}

RegisterStage::Answer IntervalFile::write(RegisterAccess& access) {
  Entry* const entry = find(access.warp, access.home);
  if (!entry || access.direct) {
    const Answer answer = pass(access);
    if (answer == Answer::refused) return answer;
    ++late_;
    ++tags_;
    if (entry) entry->dirty &= ~access.mask;
    if (!entry) return answer;
    merge_lanes(entry->values, *access.values, access.mask);
    entry->valid |= access.mask;
    return answer;
  }
  ++writes_;
  ++tags_;
  merge_lanes(entry->values, *access.values, access.mask);
  entry->valid |= access.mask;
  entry->dirty |= access.mask;
  entry->live = access.live;
  return Answer::answered;
}

// Releases a register. The register's entry stays in the file without a value, because a later instruction of
// the interval may write the register again.
RegisterStage::Answer IntervalFile::release(RegisterAccess& access) {
  Entry* const entry = find(access.warp, access.home);
  if (entry && entry->filling) return refuse();
  const Answer answer = pass(access);
  if (answer == Answer::refused || !entry) return answer;
  entry->valid = entry->dirty = 0;
  entry->values.fill(kPoison);
  return answer;
}

RegisterStage::Answer IntervalFile::evict(RegisterAccess& access) {
  Entry* const entry = find(access.warp, access.home);
  if (entry && entry->filling) return refuse();
  if (entry && entry->dirty && !write_below(access.warp, *entry)) return Answer::refused;
  const Answer answer = pass(access);
  if (answer == Answer::refused || !entry) return answer;
  Warp& warp = of(access.warp);
  warp.absent.set(access.home.value);
  warp.registers.drop(entry->reg);
  return answer;
}

void IntervalFile::move(WarpId id) {
  Warp& warp = of(id);
  if (warp.collecting != 0 || !may_send(Sender::own)) return;
  const RegisterSet set = gate_.set_at(warp.target), live = gate_.live_at(warp.target);
  if (!leave(id, set, live) || !enter(id, set, live)) return;
  if (warp.registers.any_filling()) return;
  warp.absent = {};
  ++moves_;
  moving_.remove(id);
  gate_.loaded(now(), id, warp.target);
}

MovePoint::Answer IntervalFile::leaving(WarpId id, const RegisterSet& set, const RegisterSet& live) {
  const MovePoint::View view = move_view(id, set, live);
  MovePoint::Answer answer{.leaves = view.held.without(set), .backs = {}};
  answer.leaves.for_each([&](std::uint32_t reg) {
    if (view.dirty.test(reg) && live.test(reg)) answer.backs.set(reg);
  });
  watch_.leaves(id, view, answer);
  return answer;
}

bool IntervalFile::leave(WarpId id, const RegisterSet& set, const RegisterSet& live) {
  const MovePoint::Answer decided = leaving(id, set, live);
  return of(id).registers.sweep([&](Entry& entry) {
    if (!decided.leaves.test(entry.reg.value)) return Fate::stays;
    if (entry.dirty && !decided.backs.test(entry.reg.value)) {
      entry.dirty = 0;
      ++dropped_;
    }
    return entry.dirty && !write_below(id, entry) ? Fate::blocked : Fate::leaves;
  });
}

bool IntervalFile::enter(WarpId id, const RegisterSet& set, const RegisterSet& live) {
  HeldRegisters& registers = of(id).registers;
  for (RegisterSet missing = set.without(registers.held()); missing.any();) {
    const auto next = watch_.watches(id) ? watch_.next(id, move_view(id, set, live)) : missing.lowest();
    if (!next)
      throw InternalError(fmt::format("{}: no register of warp {}'s interval comes in", name(), id.value));
    const std::uint32_t reg = *next;
    missing.clear(reg);
    Entry& entry = registers.add(RegId(reg));
    if (!live.test(reg)) continue;
    entry.filling = true;
    if (send(RegisterCommand::read, id, entry) == Answer::refused) {
      registers.drop(RegId(reg));
      return false;
    }
    ++fetched_;
  }
  return true;
}

void IntervalFile::flush(WarpId id) {
  Warp& warp = of(id);
  const bool written = warp.registers.sweep([&](Entry& entry) {
    if (entry.filling) return Fate::stays;
    return entry.dirty && !write_below(id, entry) ? Fate::blocked : Fate::leaves;
  });
  if (!written || !warp.registers.empty() || warp.unanswered != 0) return;
  flushing_.remove(id);
  set_flushed(id);
  clock().wake();
}

RegisterStage::Answer IntervalFile::send(RegisterCommand command, WarpId warp, Entry& entry) {
  Own& own = own_.take();
  const bool writes = command == RegisterCommand::write;
  if (writes) own.values = entry.values;
  own.access = own_access(command, warp, entry.reg, writes ? entry.dirty : kAllLanes, own.values, this, &own,
                          now() + 1);
  own.access.live = entry.live;
  const Answer answer = pass(own.access);
  if (answer == Answer::accepted) ++of(warp).unanswered;
  if (answer == Answer::answered && !writes) came(own.access);
  if (answer != Answer::accepted) own_.give_back(own);
  return answer;
}

bool IntervalFile::write_below(WarpId warp, Entry& entry) {
  if (send(RegisterCommand::write, warp, entry) == Answer::refused) return false;
  entry.dirty = 0;
  ++backs_;
  return true;
}

void IntervalFile::came(const RegisterAccess& access) {
  ++came_;
  fills_.put(now(), {access.warp, access.home, *access.values, access.data_at});
  clock().wake();
}

void IntervalFile::answered(RegisterAccess& access) {
  if (access.stage != this) return respond(access);
  begin();
  if (access.command == RegisterCommand::read) came(access);
  --of(access.warp).unanswered;
  if (flushing_.contains(access.warp)) clock().wake();
  own_.give_back(*static_cast<Own*>(access.owner));
}

// Stores a value that was read from the stage below, except in lanes that already have a newer result.
void IntervalFile::fill(const Fill& fill) {
  Entry* const entry = find(fill.warp, fill.reg);
  if (!entry || !entry->filling) return;
  merge_lanes(entry->values, fill.values, ~entry->valid);
  entry->valid = kAllLanes;
  entry->filling = false;
  entry->ready = fill.ready;
}

void IntervalFile::debug_read(RegisterAccess& access) {
  initiator->transport_dbg(access);
  if (const Entry* const entry = find(access.warp, access.home))
    merge_lanes(*access.values, entry->values, entry->valid);
}

bool IntervalFile::flip_bit(RegisterAccess& access, int lane, int bit) {
  Entry* const entry = find(access.warp, access.home);
  if (!entry || !(entry->valid >> lane & 1)) return false;
  entry->values[lane] ^= 1u << bit;
  return true;
}

void IntervalFile::take_event(const Event& event) {
  if (event.kind == Event::Kind::activated) return;
  flushing_.add(event.warp);
  moving_.remove(event.warp);
  gate_.unloaded(event.warp);
}

void IntervalFile::give_up(WarpId id) {
  Warp& warp = of(id);
  warp.registers.drop_all();
  const int unanswered = warp.unanswered;
  warp = Warp{};
  warp.unanswered = unanswered;
  gate_.gone(id);
  moving_.remove(id);
  flushing_.remove(id);
}

void IntervalFile::begin_cycle() {
  held_reads_.take(now(), [this](WarpId warp) { --of(warp).collecting; });
  fills_.take(now(), [this](const Fill& one) { fill(one); });
  gate_.take_requests(now(), [this](WarpId warp, std::uint32_t pc) {
    if (flushing_.contains(warp)) return;
    of(warp).target = pc;
    moving_.add(warp);
  });
  for (const WarpId warp : moving_) move(warp);
  for (const WarpId warp : flushing_) flush(warp);
}

std::optional<StageBalance> IntervalFile::balance(const RegisterFlow& came) const {
  return StageBalance{{passed_.value() + fetched_.value(), late_.value() + backs_.value()},
                      {{"registers fetched, registers that came", fetched_.value(), came_.value()},
                       {"reads that came, served or passed", came.reads, hits_.value() + passed_.value()},
                       {"writes that came, kept or passed", came.writes, writes_.value() + late_.value()}}};
}

namespace {
const Registration<RegisterStage, IntervalFile, IntervalFileParameters> interval_file_entry{
    "interval-file",
    "the registers of each warp's current interval, loaded before the warp executes it",
    {.kinds = {"level"}, .before = {"mapping", "banks"}, .after = {"operand-file", "register-cache"}}};

const Arrays<RegisterStage> interval_file_arrays{
    "interval-file",
    {{"interval file",
      "if(flush_on_deschedule, schedulers * active, warps) * registers",
      "1024",
      "3R1W",
      {"register_file.interval_file"}},
     {"tags of the interval file",
      "if(flush_on_deschedule, schedulers * active, warps) * registers",
      "10",
      "3R1W",
      {"register_file.interval_file"}}}};
}  // namespace

}  // namespace heddle
