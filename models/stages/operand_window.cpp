#include "models/stages/operand_window.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {

void OperandWindowParameters::fields(FieldVisitor& v) {
  v.field("instructions", instructions, {1, 16}, "instructions of a warp whose registers stay");
  v.field("entries", entries, {4, 96}, "registers of a warp that the window holds (4: one instruction's)");
  v.field("write_back", write_back, "results are written below as they leave; false: at once");
  v.field("extends", extends, "a read keeps its register for another window; false: only a write does");
  v.field("hints", hints, {"none", "window"},
          "window: results that the pass window-hints has marked are not written below");
  v.field("flush_on_deschedule", flush_on_deschedule,
          "a warp that gives up its active slot writes its results below and frees its entries");
}

namespace {

void check_hints(const OperandWindowParameters& parameters, const isa::Program& program) {
  const isa::NotedWords window(program.notes, "window");
  for (const isa::Instruction& i : program.code) {
    const auto words = window.in(i.notes);
    if (words.empty()) continue;
    if (words[0] == static_cast<std::uint64_t>(parameters.instructions) &&
        (words[1] != 0) == parameters.extends)
      return;
    throw Error("gpu.sm.register_file.stages[operand-window]",
                fmt::format("the hints of kernel {} are for {} instructions, extends {}", program.kernel,
                            words[0], words[1] != 0),
                "the same parameters in the pass window-hints, or hints none");
  }
  throw Error("gpu.sm.register_file.stages[operand-window].hints",
              fmt::format("the compiler has not marked the results of kernel {}", program.kernel),
              "with the pass window-hints, or hints none");
}

}  // namespace

OperandWindow::OperandWindow(const OperandWindowParameters& parameters, Context& context)
    : UpperStage(context),
      parameters_(parameters),
      shape_{parameters.entries, parameters.instructions, parameters.extends},
      warps_(static_cast<std::size_t>(context.max_warps)),
      announced_(
          context.stats.add("announcements", "warp-instructions", "announced instructions that count")),
      tags_(context.stats.add("tag_checks", "accesses", "words that searched for their register")),
      hits_(context.stats.add("read_hits", "accesses", "reads that the window served")),
      misses_(context.stats.add("read_misses", "accesses", "reads that went below")),
      fills_(context.stats.add("fills", "accesses", "words read below that stayed here")),
      writes_(context.stats.add("writes", "accesses", "results written here")),
      through_(
          context.stats.add("through_writes", "accesses", "results written below, and here if they fit")),
      late_(context.stats.add("late_writes", "accesses", "results whose register had left")),
      backs_(context.stats.add("writebacks", "accesses", "registers written below as they left")),
      early_(context.stats.add("early_leaves", "lines", "registers that left for want of entries")),
      dropped_(context.stats.add("dropped_writes", "lines", "registers not written below because of a hint")),
      dirtied_(context.stats.add("dirtied", "lines", "registers whose value the stages below lacked")),
      ended_(
          context.stats.add("ended_dirty", "lines", "such registers that a warp's end or a release freed")) {}

void OperandWindow::kernel_begins(const KernelBegins& kernel) {
  if (parameters_.hints == "none") return;
  check_hints(parameters_, *kernel.program);
  hints_ = isa::NotedWords(kernel.program->notes, "window-hint");
  window_ = isa::NotedWords(kernel.program->notes, "window");
}

RegisterStage::Answer OperandWindow::take(RegisterAccess& access) {
  begin();
  switch (access.command) {
    case RegisterCommand::prepare:
      return announce(access);
    case RegisterCommand::read:
      return read(access);
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::release:
    case RegisterCommand::evict:
      break;
  }
  return release(access);
}

// An announcement is never refused because no entry is free, because a refusal would block all collectors.
// Results without an entry are written to the stage below.
RegisterStage::Answer OperandWindow::announce(RegisterAccess& access) {
  const Answer answer = wanted_below(wants::announcements) ? pass(access) : Answer::answered;
  if (answer == Answer::refused || !counts(*access.instruction)) return answer;
  Warp& warp = of(access.warp);
  ++announced_;
  ++warp.instructions;
  slide(access.warp, true);
  const RegisterPrepare& prepare = *access.prepare;
  tags_ += std::uint64_t{prepare.sources} + prepare.destinations;
  if (prepare.sources != 0) warp.reading.push_back({prepare.uid, warp.instructions});
  announce_sources(access.warp, prepare);
  for (const RegisterWord& word : prepare.destination_words()) {
    Entry* entry = look_up(access.warp, word.home);
    if (!entry) entry = make_entry(access.warp, word.home);
    if (!entry) continue;
    entry->age = warp.instructions;
    ++entry->expected;
    report(access.warp, *entry, View::awaits);
  }
  return answer;
}

// The tags have three ports for sources.
void OperandWindow::announce_sources(WarpId id, const RegisterPrepare& prepare) {
  const Warp& warp = of(id);
  const auto words = prepare.source_words();
  std::array<Entry*, WindowPoint::kSources> entries;
  for (std::size_t first = 0; first < words.size(); first += entries.size()) {
    const auto group = words.subspan(first, std::min(entries.size(), words.size() - first));
    for (std::size_t i = 0; i < group.size(); ++i) entries[i] = find(id, group[i].home);
    if (watched(id)) seen_sources(id, group, entries);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (!entries[i]) continue;
      if (parameters_.extends) entries[i]->age = warp.instructions;
      entries[i]->read = warp.instructions;
    }
  }
}

RegisterStage::Answer OperandWindow::read(RegisterAccess& access) {
  bool hit = false;
  Entry* entry = look_up(access, hit);
  if (hit && !access.direct) {
    ++hits_;
    ++tags_;
    *access.values = entry->values;
    set_arrival(access, std::max(earliest(access), entry->ready));
    return Answer::answered;
  }
  if (entry && entry->dirty && !write_below(access.warp, *entry)) return Answer::refused;
  const bool stays = access.instruction && !access.direct && counts(*access.instruction);
  if (!entry && stays) entry = make_entry(access.warp, access.home);
  const Answer answer = pass(access);
  if (answer == Answer::refused) return answer;
  ++misses_;
  ++tags_;
  if (!entry || !stays) return answer;
  const LaneMask lanes = access.mask & ~entry->valid;
  entry->fill |= lanes;
  report(access.warp, *entry, View::requests, lanes);
  filling_.push_back({&access, access.warp, access.home, entry->generation, lanes, {}, 0});
  if (answer == Answer::answered) came(access);
  return answer;
}

RegisterStage::Answer OperandWindow::write(RegisterAccess& access) {
  Entry* const entry = look_up(access.warp, access.home);
  Answer given = Answer::answered;
  if (!entry || !parameters_.write_back || access.direct) {
    const Answer answer = pass(access);
    if (answer == Answer::refused) return answer;
    ++(entry ? through_ : late_);
    ++tags_;
    if (!entry) return answer;
    ended_ += entry->dirty != 0 && (entry->dirty & ~access.mask) == 0;
    entry->dirty &= ~access.mask;
    report(access.warp, *entry, View::passes, access.mask);
    given = answer;
  } else {
    ++writes_;
    ++tags_;
    dirtied_ += entry->dirty == 0;
    entry->dirty |= access.mask;
    entry->hinted = is_hinted(access);
    report(access.warp, *entry, View::writes, access.mask, entry->hinted);
  }
  merge_lanes(entry->values, *access.values, access.mask);
  entry->valid |= access.mask;
  entry->live = access.live;
  if (entry->expected > 0) --entry->expected;
  if (entry->fill) cancel_fill(*entry);
  return given;
}

RegisterStage::Answer OperandWindow::release(RegisterAccess& access) {
  Entry* const entry = find(access.warp, access.home);
  const bool keeps = access.command == RegisterCommand::evict;
  if (entry && keeps && entry->dirty && !write_below(access.warp, *entry)) return Answer::refused;
  const Answer answer = pass(access);
  if (answer != Answer::refused && entry) drop(access.warp, *entry);
  return answer;
}

void OperandWindow::answered(RegisterAccess& access) {
  begin();
  if (access.stage == this) {
    --of(access.warp).unanswered;
    write_backs_.give_back(*static_cast<WriteBack*>(access.owner));
    if (flushing_.contains(access.warp)) clock().wake();
    return;
  }
  if (access.command == RegisterCommand::read) came(access);
  respond(access);
}

// A word that was read from the stage below is in the window from the next cycle on.
void OperandWindow::came(RegisterAccess& access) {
  const auto fill = std::find_if(filling_.begin(), filling_.end(),
                                 [&access](const Fill& one) { return one.access == &access; });
  if (fill == filling_.end()) return;
  fill->values = *access.values;
  fill->ready = access.data_at;
  came_.put(now(), *fill);
  filling_.erase(fill);
  clock().wake();
}

void OperandWindow::fill(const Fill& fill) {
  Entry* const entry = find(fill.warp, fill.reg);
  if (!entry || entry->generation != fill.generation) return;
  const LaneMask lanes = fill.lanes & ~entry->valid;
  merge_lanes(entry->values, fill.values, lanes);
  entry->valid |= lanes;
  entry->fill &= ~fill.lanes;
  report(fill.warp, *entry, View::fills, fill.lanes);
  entry->ready = fill.ready;
  ++fills_;
}

// Lets the registers leave whose last access is `instructions` or more back. A refused write-back is tried again: its
// register stays, serves reads, and may be written again.
void OperandWindow::slide(WarpId id, bool advances) {
  Warp& warp = of(id);
  waiting_.remove(id);
  const bool seen = watched(id) != nullptr;
  const WindowPoint::Answer leaving = seen ? seen_leaving(id, advances) : WindowPoint::Answer{};
  for (std::size_t e = 0; e < warp.entries.size();) {
    Entry& entry = warp.entries[e];
    const bool leaves =
        seen ? leaving.leaves >> entry.way & 1 : is_old(warp, entry) && !is_wanted(warp, entry);
    const bool goes_below = seen ? leaving.backs >> entry.way & 1 : entry.dirty && !entry.hinted;
    if (leaves && entry.dirty && !goes_below) {
      entry.dirty = 0;
      ++dropped_;
    }
    if (leaves && (!entry.dirty || write_below(id, entry))) {
      drop(id, entry);
    } else {
      if (is_old(warp, entry)) waiting_.add(id);
      ++e;
    }
  }
}

OperandWindow::Entry* OperandWindow::make_entry(WarpId id, RegId reg) {
  Warp& warp = of(id);
  const bool full = warp.entries.size() >= static_cast<std::size_t>(parameters_.entries);
  std::uint32_t way = full ? kNoWay : 0;
  Entry* oldest = nullptr;
  for (Entry& entry : warp.entries)
    if (full && !entry.fill && entry.expected == 0 && (!oldest || entry.age < oldest->age)) oldest = &entry;
  if (oldest) way = oldest->way;
  while (!full && warp.ways.test(way)) ++way;
  if (watched(id)) {
    way = seen_choice(id, way);
    oldest = at(id, way != kNoWay, way);
  }
  if (full) {
    if (!oldest || (oldest->dirty && !write_below(id, *oldest))) return nullptr;
    ++early_;
    drop(id, *oldest);
  }
  Entry& entry = warp.entries.emplace_back();
  entry.way = way;
  warp.ways.set(way);
  entry.reg = reg;
  entry.generation = ++generation_;
  entry.age = warp.instructions;
  entry.values.fill(kPoison);
  report(id, entry, View::takes);
  return &entry;
}

bool OperandWindow::write_below(WarpId id, Entry& entry) {
  WriteBack& back = write_backs_.take();
  back.values = entry.values;
  back.access =
      own_access(RegisterCommand::write, id, entry.reg, entry.dirty, back.values, this, &back, now() + 1);
  back.access.live = entry.live;
  const Answer answer = pass(back.access);
  if (answer == Answer::accepted)
    ++of(id).unanswered;
  else
    write_backs_.give_back(back);
  if (answer == Answer::refused) return false;
  entry.dirty = 0;
  ++backs_;
  report(id, entry, View::cleans);
  return true;
}

void OperandWindow::take_event(const Event& event) {
  flushing_.set(event.warp, event.kind == Event::Kind::deactivated);
  clock().wake();
}

void OperandWindow::give_up(WarpId id) {
  for (Entry& entry : of(id).entries) {
    ended_ += entry.dirty != 0;
    entry.values.fill(kPoison);
  }
  if (const auto* const probe = watched(id)) probe->notify({.what = View::clears});
  const int unanswered = of(id).unanswered;
  of(id) = Warp{};
  of(id).unanswered = unanswered;
  waiting_.remove(id);
  flushing_.remove(id);
  std::erase_if(filling_, [id](const Fill& fill) { return fill.warp == id; });
}

void OperandWindow::begin_cycle() {
  held_.take(now(), [this](const Held& held) {
    std::erase_if(of(held.warp).reading, [&held](const Reading& one) { return one.uid == held.uid; });
  });
  came_.take(now(), [this](const Fill& one) { fill(one); });
  if ((!waiting_ && !flushing_) || !may_send(Sender::own)) return;
  for (const WarpId id : waiting_) slide(id, false);
  for (const WarpId id : flushing_) {
    Warp& warp = of(id);
    while (!warp.entries.empty()) {
      Entry& entry = warp.entries.back();
      if (entry.dirty && !write_below(id, entry)) break;
      drop(id, entry);
    }
    if (!warp.entries.empty() || warp.unanswered != 0) continue;
    flushing_.remove(id);
    set_flushed(id);
    clock().wake();
  }
}

namespace {
const Registration<RegisterStage, OperandWindow, OperandWindowParameters> operand_window_entry{
    "operand-window",
    "the registers of a warp's last instructions, beside the operand collectors",
    {.kinds = {"level"}, .before = {"register-cache", "mapping", "banks"}, .after = {"operand-file"}}};

const Arrays<RegisterStage> operand_window_arrays{
    "operand-window",
    {{"operand window", "schedulers * active * entries", "1024", "3R1W", {"register_file.operand_window"}},
     {"tags of the operand window",
      "schedulers * active * entries",
      "10",
      "3R1W",
      {"register_file.operand_window"}}}};

}  // namespace
}  // namespace heddle
