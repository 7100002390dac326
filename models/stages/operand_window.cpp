#include "models/stages/operand_window.h"

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

OperandWindow::OperandWindow(const OperandWindowParameters& parameters, Context& context)
    : UpperStage(context),
      parameters_(parameters),
      watch_({parameters.entries, parameters.instructions, parameters.extends},
             static_cast<std::size_t>(context.max_warps)),
      notes_(parameters.hints != "none", parameters.instructions, parameters.extends),
      warps_(static_cast<std::size_t>(context.max_warps),
             WarpWindow(parameters.entries, parameters.instructions)),
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

// Handles an announced instruction: looks up its sources, and reserves entries for its results. If no entry
// is free, the stage nevertheless accepts the announcement, because a refusal would block all collectors.
// Results without an entry are written to the stage below.
RegisterStage::Answer OperandWindow::announce(RegisterAccess& access) {
  const Answer answer = wanted_below(wants::announcements) ? pass(access) : Answer::answered;
  if (answer == Answer::refused || !notes_.counts(*access.instruction)) return answer;
  WarpWindow& window = of(access.warp);
  ++announced_;
  window.count_instruction();
  slide(access.warp, true);
  const RegisterPrepare& prepare = *access.prepare;
  tags_ += std::uint64_t{prepare.sources} + prepare.destinations;
  if (prepare.sources != 0) window.awaits_operands(prepare.uid);
  announce_sources(access.warp, prepare);
  for (const RegisterWord& word : prepare.destination_words()) {
    Entry* entry = look_up(access.warp, word.home);
    if (!entry) entry = make_entry(access.warp, word.home);
    if (!entry) continue;
    entry->age = window.instructions();
    ++entry->expected;
    watch_.note(access.warp, *entry, View::awaits);
  }
  return answer;
}

// Looks up the sources of an announced instruction in groups of three, because the tags have three ports for
// sources. An observer may replace the results of each group.
void OperandWindow::announce_sources(WarpId id, const RegisterPrepare& prepare) {
  WarpWindow& window = of(id);
  const auto words = prepare.source_words();
  constexpr std::size_t kPorts = WindowPoint::kSources;
  for (std::size_t first = 0; first < words.size(); first += kPorts) {
    const auto group = words.subspan(first, std::min(kPorts, words.size() - first));
    WindowWatch::Ways ways;
    for (std::size_t i = 0; i < group.size(); ++i) ways[i] = way_of(window.find(group[i].home));
    if (watch_.watches(id)) watch_.find_sources(id, group, ways);
    for (std::size_t i = 0; i < group.size(); ++i) {
      Entry* const entry = ways[i] == kNoWay ? nullptr : window.at(ways[i]);
      if (!entry) continue;
      if (parameters_.extends) entry->age = window.instructions();
      entry->read = window.instructions();
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
  const bool stays = access.instruction && !access.direct && notes_.counts(*access.instruction);
  if (!entry && stays) entry = make_entry(access.warp, access.home);
  const Answer answer = pass(access);
  if (answer == Answer::refused) return answer;
  ++misses_;
  ++tags_;
  if (!entry || !stays) return answer;
  const LaneMask lanes = access.mask & ~entry->valid;
  entry->fill |= lanes;
  watch_.note(access.warp, *entry, View::requests, lanes);
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
    watch_.note(access.warp, *entry, View::passes, access.mask);
    given = answer;
  } else {
    ++writes_;
    ++tags_;
    dirtied_ += entry->dirty == 0;
    entry->dirty |= access.mask;
    entry->hinted = notes_.is_hinted(access);
    watch_.note(access.warp, *entry, View::writes, access.mask, entry->hinted);
  }
  merge_lanes(entry->values, *access.values, access.mask);
  entry->valid |= access.mask;
  entry->live = access.live;
  if (entry->expected > 0) --entry->expected;
  if (entry->fill) of(access.warp).cancel_fill(*entry);
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
    of(access.warp).back_done();
    write_backs_.give_back(*static_cast<WriteBack*>(access.owner));
    if (flushing_.contains(access.warp)) clock().wake();
    return;
  }
  if (access.command == RegisterCommand::read) came(access);
  respond(access);
}

// Records the response to a read of the stage below. The window holds the value from the next cycle on.
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
  WarpWindow::fill(*entry, fill.values, fill.lanes, fill.ready);
  watch_.note(fill.warp, *entry, View::fills, fill.lanes);
  ++fills_;
}

// Removes each register that the warp's last `instructions` instructions have not accessed and that no
// announced instruction must still read. If the stage below refuses the write-back of a register, the
// register stays in the window, and the write-back is tried again.
void OperandWindow::slide(WarpId id, bool advances) {
  WarpWindow& window = of(id);
  waiting_.remove(id);
  const bool seen = watch_.watches(id);
  const auto leaving = seen ? watch_.slide(id, window, advances) : WindowWatch::Leaving{};
  for (std::size_t e = 0; e < window.entries().size();) {
    Entry& entry = window.entries()[e];
    const bool leaves = seen ? leaving.leaves >> entry.way & 1 : window.leaves(entry);
    const bool goes_below = seen ? leaving.backs >> entry.way & 1 : entry.dirty && !entry.hinted;
    if (leaves && entry.dirty && !goes_below) {
      entry.dirty = 0;
      ++dropped_;
    }
    if (leaves && (!entry.dirty || write_below(id, entry))) {
      drop(id, entry);
    } else {
      if (window.is_old(entry)) waiting_.add(id);
      ++e;
    }
  }
}

OperandWindow::Entry* OperandWindow::make_entry(WarpId id, RegId reg) {
  WarpWindow& window = of(id);
  std::uint32_t way = window.choose_way();
  if (watch_.watches(id)) way = watch_.choose(id, way);
  if (window.full()) {
    Entry* const oldest = window.at(way);
    if (!oldest || (oldest->dirty && !write_below(id, *oldest))) return nullptr;
    ++early_;
    drop(id, *oldest);
  }
  Entry& entry = window.add(reg, way);
  watch_.note(id, entry, View::takes);
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
    of(id).back_sent();
  else
    write_backs_.give_back(back);
  if (answer == Answer::refused) return false;
  entry.dirty = 0;
  ++backs_;
  watch_.note(id, entry, View::cleans);
  return true;
}

void OperandWindow::take_event(const Event& event) {
  flushing_.set(event.warp, event.kind == Event::Kind::deactivated);
  clock().wake();
}

void OperandWindow::give_up(WarpId id) {
  for (const Entry& entry : of(id).entries()) ended_ += entry.dirty != 0;
  watch_.clears(id);
  of(id).clear();
  waiting_.remove(id);
  flushing_.remove(id);
  std::erase_if(filling_, [id](const Fill& fill) { return fill.warp == id; });
}

void OperandWindow::begin_cycle() {
  held_.take(now(), [this](const Held& held) { of(held.warp).holds_operands(held.uid); });
  came_.take(now(), [this](const Fill& one) { fill(one); });
  if ((!waiting_ && !flushing_) || !may_send(Sender::own)) return;
  for (const WarpId id : waiting_) slide(id, false);
  for (const WarpId id : flushing_) {
    WarpWindow& window = of(id);
    while (!window.entries().empty()) {
      Entry& entry = window.entries().back();
      if (entry.dirty && !write_below(id, entry)) break;
      drop(id, entry);
    }
    if (!window.entries().empty() || window.has_backs()) continue;
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
    {{"operand window",
      "if(flush_on_deschedule, schedulers * active, warps) * entries",
      "1024",
      "3R1W",
      {"register_file.operand_window"}},
     {"tags of the operand window",
      "if(flush_on_deschedule, schedulers * active, warps) * entries",
      "10",
      "3R1W",
      {"register_file.operand_window"}}}};

}  // namespace
}  // namespace heddle
