#include "models/reference/race_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/isa/address_map.h"
#include "models/isa/check_notes.h"
#include "models/reference/near_addresses.h"

namespace heddle::reference {
namespace {

using isa::Instruction;
using isa::Opcode;
using isa::Window;

constexpr std::uint8_t kWholeWord = 0xf;
constexpr std::size_t kMostSharedSets = 1u << 16;

bool contains(std::uint8_t bytes, std::uint8_t part) { return (part & ~bytes) == 0; }

template <class F>
void for_ranges(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses,
                std::uint64_t bytes, F f) {
  if (e.near && find_pieces(*e.near, static_cast<int>(bytes))) {
    for (std::size_t p = 0; p < static_cast<std::size_t>(e.near->pieces); ++p)
      f(e.near->low + e.near->piece_begin[p], e.near->low + e.near->piece_end[p]);
    return;
  }
  std::uint64_t begin = 0, end = 0;
  for (LaneMask left = e.executing; left != 0; left &= left - 1) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(std::countr_zero(left))];
    if (address >= begin && address + bytes <= end) continue;
    if (address == end) {
      end += bytes;
      continue;
    }
    if (end != begin) f(begin, end);
    begin = address;
    end = address + bytes;
  }
  if (end != begin) f(begin, end);
}

}  // namespace

RaceCheck::Cta& RaceCheck::cta_of(const ExecutedInstruction& e, const CtaClocks& clocks) {
  if (launches_ != order_.launches()) {
    launches_ = order_.launches();
    ctas_.clear();
    pages_.clear();
    global_.sets.clear();
    last_ = nullptr;
    page_ = nullptr;
  }
  if (!last_ || last_cta_ != e.cta) {
    std::unique_ptr<Cta>& found = ctas_[e.cta];
    if (!found) {
      found = std::make_unique<Cta>();
      found->shared.in_shared = true;
      found->words.resize((e.launch.shared_bytes() + 3) / 4);
    }
    last_ = found.get();
    last_cta_ = e.cta;
  }
  Cta& cta = *last_;
  if (cta.meetings == clocks.meetings) return cta;
  cta.meetings = clocks.meetings;
  // All warps of the CTA have met at a barrier, which orders all recorded accesses to shared memory before
  // later accesses. These records are no longer needed, and are cleared if there are many of them.
  if (cta.shared.sets.holds_more_than(kMostSharedSets)) {
    cta.shared.sets.clear();
    std::fill(cta.words.begin(), cta.words.end(), Word{});
    cta.recent_shared.fill({});
  }
  cta.before_shared = cta.shared.sets.latest();
  cta.sets_before = cta.shared.sets.latest_set();
  cta.before_global = global_.sets.latest();
  return cta;
}

void RaceCheck::after(const ExecutedInstruction& e) {
  if (e.instruction.op != Opcode::exit || e.executing == 0 || order_.runs(e.cta)) return;
  ctas_.erase(e.cta);
  last_ = nullptr;
}

void RaceCheck::accessed(const ExecutedInstruction& e, std::span<const std::uint64_t, kLanes> addresses) {
  const Instruction& i = e.instruction;
  if (isa::is_heap_code(i)) return;
  const CtaClocks& clocks = order_.of(e);
  Cta& cta = cta_of(e, clocks);
  if (global_.sets.is_full()) {
    ++restarts_;
    global_.sets.clear();
    pages_.clear();
    page_ = nullptr;
    for (const auto& [index, other] : ctas_) other->before_global = 0, other->recent_global.fill({});
  }
  const bool look_up = e.texel_bytes != 0;
  Now now{e, clocks, {}};
  now.writes = i.op != Opcode::ld && !look_up;
  now.event = {static_cast<std::uint32_t>(e.cta), clocks.clock[e.warp][e.warp], e.index, 0, is_ordered(i)};
  const std::uint64_t bytes =
      look_up ? e.texel_bytes : std::uint64_t{i.memory.element_bytes} * i.memory.elements;
  for_ranges(e, addresses, bytes,
             [&](std::uint64_t begin, std::uint64_t end) { touch(now, cta, begin, end); });
}

void RaceCheck::touch(Now& now, Cta& cta, std::uint64_t begin, std::uint64_t end) {
  const Window window = isa::window_of(begin);
  if (window != Window::shared && window != Window::global) return;
  const auto words = [&](std::uint64_t at, std::uint64_t count, std::uint8_t bytes) {
    now.event.bytes = bytes;
    if (window == Window::global) return touch_global(now, cta, at, count);
    touch(now, cta, cta.shared, std::span(cta.words).subspan((at - isa::kSharedWindow) / 4, count), at);
  };
  while (begin < end) {
    const std::uint64_t first = begin / 4 * 4;
    if (begin == first && end - begin >= 4) {
      words(begin, (end - begin) / 4, kWholeWord);
      begin += (end - begin) / 4 * 4;
    } else {
      const std::uint64_t stop = std::min(first + 4, end);
      words(first, 1, static_cast<std::uint8_t>(((1u << (stop - begin)) - 1) << (begin - first)));
      begin = stop;
    }
  }
}

void RaceCheck::touch_global(Now& now, Cta& cta, std::uint64_t address, std::uint64_t words) {
  while (words != 0) {
    const std::uint64_t index = address / 4, page = index / kPageWords, at = index % kPageWords;
    if (!page_ || last_page_ != page) {
      std::unique_ptr<Page>& found = pages_[page];
      if (!found) found = std::make_unique<Page>();
      page_ = found.get();
      last_page_ = page;
    }
    const std::uint64_t count = std::min(words, kPageWords - at);
    touch(now, cta, global_, std::span(*page_).subspan(at, count), address);
    address += 4 * count;
    words -= count;
  }
}

void RaceCheck::touch(Now& now, Cta& cta, History& history, std::span<Word> words, std::uint64_t address) {
  Word from = words.front(), to = next(now, cta, history, from, address);
  std::uint64_t differences = 0;
  for (const Word& word : words) differences |= word.both() ^ from.both();
  if (differences == 0) {
    if (to.both() != from.both()) std::fill(words.begin(), words.end(), to);
    return;
  }
  for (Word& word : words) {
    if (word.both() != from.both()) {
      from = word;
      to = next(now, cta, history, from, address + 4 * static_cast<std::uint64_t>(&word - words.data()));
    }
    word = to;
  }
}

RaceCheck::Word RaceCheck::next(Now& now, Cta& cta, History& history, Word word, std::uint64_t address) {
  if (history.in_shared) {
    if (word.writes <= cta.sets_before) word.writes = 0;
    if (word.reads <= cta.sets_before) word.reads = 0;
  }
  if (now.e.texel_bytes != 0) check_look_up(now, history, word.writes, address);
  const bool atomics = now.event.ordered && history.sets.is_ordered(word.writes);
  if (word.writes != 0 && !atomics) check(now, cta, history, word.writes, true, address);
  if (!now.writes) return {word.writes, add_read(now, cta, history, word.reads)};
  if (word.reads != 0) check(now, cta, history, word.reads, false, address);
  Word after{add_write(now, cta, history, word.writes), 0};
  if (now.event.bytes == kWholeWord || word.reads == 0) return after;
  members_.clear();
  for (const Accessors& a : history.sets.members(word.reads))
    if (!contains(now.event.bytes, history.sets.event(a.event).bytes)) members_.push_back(a);
  after.reads = history.sets.make(members_, history.sets.is_closed(word.reads));
  return after;
}

std::uint32_t RaceCheck::event_of(const Now& now, Cta& cta, History& history) {
  const AccessEvent& event = now.event;
  auto& all = history.in_shared ? cta.recent_shared : cta.recent_global;
  Recent& recent = all[event.pc % all.size()];
  if (recent.event == 0 || recent.pc != event.pc || recent.epoch != event.epoch ||
      recent.bytes != event.bytes)
    recent = {event.pc, event.epoch, history.sets.add(event), event.bytes};
  return recent.event;
}

int RaceCheck::unordered(const Now& now, const Cta& cta, const History& history,
                         const Accessors& earlier) const {
  const AccessEvent& event = history.sets.event(earlier.event);
  const std::uint32_t before = history.in_shared ? cta.before_shared : cta.before_global;
  if (event.cta == now.event.cta && earlier.event <= before) return -1;
  for (std::uint32_t left = earlier.warps; left != 0; left &= left - 1) {
    const int warp = std::countr_zero(left);
    if (!HappensBefore::is_before(now.clocks, now.e.warp, event.cta, static_cast<std::uint32_t>(warp),
                                  event.epoch))
      return warp;
  }
  return -1;
}

void RaceCheck::check(const Now& now, const Cta& cta, const History& history, AccessSets::Number set,
                      bool wrote, std::uint64_t address) {
  bool races = false;
  for (const Accessors& earlier : history.sets.members(set)) {
    const AccessEvent& event = history.sets.event(earlier.event);
    if ((event.bytes & now.event.bytes) == 0 || (event.ordered && now.event.ordered)) continue;
    const int warp = unordered(now, cta, history, earlier);
    if (warp < 0) continue;
    races = true;
    report(now, event, warp, wrote, history.in_shared, address);
  }
  const bool concerns = wrote ? !now.event.ordered : now.writes;
  if (concerns && !races && history.sets.is_closed(set)) ++left_out_;
}

void RaceCheck::report(const Now& now, const AccessEvent& earlier, int warp, bool wrote, bool in_shared,
                       std::uint64_t address) {
  const isa::Program& program = *now.e.launch.program;
  const bool other = earlier.cta != now.event.cta;
  all_.report(CheckKind::races, program, earlier.pc, now.event.pc, [&] {
    return fmt::format(
        "{} {} what {} {} at {} with {} between: {} memory at {:#x}, warp {}{} and warp {} of CTA {}",
        line_of(program, now.event.pc), now.writes ? "writes" : "reads",
        other ? "another CTA" : "another warp", wrote ? "writes" : "reads", line_of(program, earlier.pc),
        other ? "no order" : "no barrier", in_shared ? "shared" : "global", address, warp,
        other ? fmt::format(" of CTA {}", earlier.cta) : "", now.e.warp, now.e.cta);
  });
}

// Reports a texture look-up if the same launch has written the texel, because nothing in a launch orders a
// write before a texture look-up.
void RaceCheck::check_look_up(const Now& now, const History& history, AccessSets::Number writes,
                              std::uint64_t address) {
  const isa::Program& program = *now.e.launch.program;
  for (const Accessors& earlier : history.sets.members(writes)) {
    const AccessEvent& event = history.sets.event(earlier.event);
    if ((event.bytes & now.event.bytes) == 0) continue;
    all_.report(CheckKind::races, program, event.pc, now.event.pc, [&] {
      return fmt::format(
          "{} looks up what {} writes in the same launch: global memory at {:#x}, warp {} of CTA {}",
          line_of(program, now.event.pc), line_of(program, event.pc), address, now.e.warp, now.e.cta);
    });
  }
}

// Makes the set of a word's accesses from members_. The set is closed (takes no further access) if it has
// kMostMembers accesses. It is also closed if it contains accesses of two CTAs to the whole word, and no CTA
// makes its accesses visible to other CTAs: every later write then races with one of these two accesses.
AccessSets::Number RaceCheck::make(History& history, bool ordered) {
  const auto stands_for_all = [&](const Accessors& a) {
    const AccessEvent& event = history.sets.event(a.event);
    return event.bytes == kWholeWord && event.ordered == ordered;
  };
  bool closed = members_.size() >= AccessSets::kMostMembers;
  if (!history.in_shared && !order_.joins_ctas() && members_.size() > 1 && stands_for_all(members_.back())) {
    const std::uint32_t cta = history.sets.event(members_.back().event).cta;
    closed = closed || std::any_of(members_.begin(), members_.end(), [&](const Accessors& a) {
               return history.sets.event(a.event).cta != cta && stands_for_all(a);
             });
  }
  return history.sets.make(members_, closed);
}

// Adds the current read to `reads`, the set of reads of a word. Drops an earlier read if every later write that
// races with the earlier read also races with the new read.
AccessSets::Number RaceCheck::add_read(const Now& now, Cta& cta, History& history, AccessSets::Number reads) {
  if (history.sets.is_closed(reads)) return reads;
  const std::uint32_t bit = 1u << now.e.warp;
  members_.clear();
  bool found = false;
  for (Accessors a : history.sets.members(reads)) {
    const AccessEvent& event = history.sets.event(a.event);
    if (!found && event == now.event) {
      if (a.warps & bit) return reads;
      a.warps |= bit;
      found = true;
    } else if (contains(now.event.bytes, event.bytes) && (!now.event.ordered || event.ordered) &&
               unordered(now, cta, history, a) < 0) {
      continue;
    }
    members_.push_back(a);
  }
  if (!found) members_.push_back({event_of(now, cta, history), bit});
  return make(history, false);
}

AccessSets::Number RaceCheck::add_write(const Now& now, Cta& cta, History& history,
                                        AccessSets::Number writes) {
  if (history.sets.is_closed(writes) && now.event.ordered) return writes;
  const std::uint32_t bit = 1u << now.e.warp;
  const std::span<const Accessors> earlier = history.sets.members(writes);
  if (now.event.ordered)
    for (const Accessors& a : earlier)
      if ((a.warps & bit) != 0 && history.sets.event(a.event) == now.event) return writes;
  members_.clear();
  bool found = false;
  for (Accessors a : earlier) {
    const AccessEvent& event = history.sets.event(a.event);
    if (!found && event == now.event) {
      if (a.warps == bit && earlier.size() == 1) return writes;
      a.warps = event.ordered ? a.warps | bit : bit;
      found = true;
    } else if (contains(now.event.bytes, event.bytes)) {
      const bool before = unordered(now, cta, history, a) < 0;
      if (before ? !now.event.ordered || event.ordered : !now.event.ordered || !event.ordered) continue;
    }
    members_.push_back(a);
  }
  if (!found) members_.push_back({event_of(now, cta, history), bit});
  return make(history, true);
}

std::vector<std::string> RaceCheck::bounds() const {
  std::vector<std::string> texts;
  if (left_out_ != 0)
    texts.push_back(fmt::format(
        "{} accesses to words of which more than {} unordered accesses are known were not compared with all",
        left_out_, AccessSets::kMostMembers));
  if (restarts_ != 0)
    texts.push_back(
        fmt::format("the history of global memory was dropped {} times, after {} sets of accesses", restarts_,
                    AccessSets::kMostSets));
  if (order_.was_incomplete())
    texts.push_back(fmt::format("more than {} CTAs published to one word; further orders were not followed",
                                HappensBefore::kMostCtas));
  return texts;
}

}  // namespace heddle::reference
