#include "models/operands/read_window.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "models/core/error.h"
#include "models/core/part_arrays.h"

namespace heddle {
namespace {

constexpr const char* kWhere = "gpu.sm.register_file.operands";

// Returns the number of read ports of a bank; 0: unlimited.
int read_ports(const BankParameters& banks) {
  if (banks.ports == "1r1w") return 1;
  if (banks.ports == "2r1w") return 2;
  if (banks.ports == "unlimited") return 0;
  throw Error(kWhere, fmt::format("\"read-window\" with gpu.sm.register_file.banks.ports {}", banks.ports),
              "separate read and write ports: 1r1w, 2r1w, unlimited");
}

// Checks that nothing on the register path can delay a read. The read window reserves ports of the banks in
// advance, so each read must reach its bank in the reserved cycle.
void check_path(const RegisterPath& path, const RegisterFileParameters& parameters) {
  if (parameters.stages.size() != 1)
    throw Error(kWhere, fmt::format("\"read-window\" above \"{}\"", choice_name(parameters.stages.front())),
                "gpu.sm.register_file.stages of \"banks\" alone");
  if (path.read_latency_cycles() != 1)
    throw Error(kWhere, "\"read-window\" above banks with a read latency above 1 cycle",
                "gpu.sm.register_file.banks.latency_cycles 1 and rows of one speed");
  if (path.wants(wants::announcements | wants::releases | wants::slots))
    throw Error(kWhere, "\"read-window\" above banks that need announcements or releases of registers",
                "rows without power states or formats of their own");
}

}  // namespace

ReadWindow::ReadWindow(const sc_core::sc_module_name& name, const ReadWindowParameters& parameters,
                       Context& context)
    : OperandStage(name),
      latencies_(context.latencies),
      life_(&context.life),
      path_(&context.path),
      clock_(&context.path.clock()),
      slots_(static_cast<std::size_t>(context.parameters.collectors.total())),
      sets_(context.parameters, context.stats),
      ports_(static_cast<std::size_t>(context.parameters.banks.count), read_ports(context.parameters.banks)),
      reuse_(static_cast<std::size_t>(context.parameters.banks.count), parameters.reuse_positions,
             parameters.reuse_entries),
      input_("in", context.port, slots_.size() + 4),
      output_("out", &context.room),
      allocated_(context.stats.add("allocated", "warp-instructions", "instructions that took a place")),
      dispatched_(context.stats.add("dispatched", "warp-instructions", "instructions sent to a unit")),
      held_cycles_(context.stats.add("held_cycles", "cycles",
                                     "cycles in which Allocate held an instruction for want of read ports")),
      fixed_reads_(context.stats.add("fixed_reads", "accesses",
                                     "operand words of fixed-latency instructions, with reuse-cache hits")),
      hits_{&context.stats.add("reuse_hits_a", "accesses", "reads that the reuse cache served, position A"),
            &context.stats.add("reuse_hits_b", "accesses", "reads that the reuse cache served, position B"),
            &context.stats.add("reuse_hits_c", "accesses", "reads that the reuse cache served, position C")},
      fills_(context.stats.add("reuse_fills", "accesses", "values that reads left in the reuse cache")) {
  if (parameters.checked) check_.emplace();
  check_path(context.path, context.parameters);
}

LifeSet ReadWindow::subscriptions() const {
  const LifeSet always{Life::completed, Life::warp_gone};
  return check_ ? always | LifeSet{Life::issued} : always;
}

void ReadWindow::completed(const InFlight& item) {
  const Cycle now = clock_->now();
  if (check_) check_->completed(now, item);
  results_.add(now, item, is_fixed(item));
}

Cycle ReadWindow::step(Cycle now) {
  sets_.count_to(now);
  dispatch_fixed(now);
  dispatch_variable(now);
  take_issued(now);
  read_variable(now);
  if (window_.empty()) results_.forget(now);
  if (!input_.empty() || !waiting_.empty()) return now + 1;
  return window_.empty() ? kNever : slots_[window_[0]].complete_at;
}

bool ReadWindow::answered(Cycle now, std::span<RegisterAccess* const> reads) {
  bool held = false;
  for (const RegisterAccess* read : reads) held |= answered(now, *read);
  return held;
}

bool ReadWindow::answered(Cycle now, const RegisterAccess& access) {
  const auto number = static_cast<std::uint16_t>(access.source - kFirstSource);
  Read& read = reads_[number];
  if (read.abandoned) {
    free_reads_.push_back(number);
    return false;
  }
  read.answered = true;
  Slot& slot = slots_[read.slot];
  --slot.open;
  if (!is_fixed(*slot.item)) slot.complete_at = std::max({slot.complete_at, now, access.data_at});
  return true;
}

void ReadWindow::take_issued(Cycle now) {
  while (input_.can_pop()) {
    const std::uint16_t number = sets_.take(*input_.front());
    if (number == CollectorSets::kNone) return;
    Slot& slot = slots_[number];
    InFlight& item = *input_.pop();
    slot.item = &item;
    slot.age = allocated_.value();
    slot.sent = 0;
    slot.words = slot.open = item.footprint->read_words;
    slot.read = false;
    slot.complete_at = 0;
    slot.accepted = now;
    ++allocated_;
    item.collector = CollectorId(number);
    item.reads_released = false;
    item.operands_at = 0;
    if (is_fixed(item)) {
      allocate(now, number);
    } else {
      waiting_.push_back(number);
    }
    life_->prepared(item);
  }
}

ReadWindow::Read& ReadWindow::open_read() {
  if (free_reads_.empty()) {
    const auto number = static_cast<std::uint16_t>(reads_.size());
    Read& read = reads_.emplace_back();
    read.access.source = static_cast<std::uint16_t>(kFirstSource + number);
    read.access.values = &read.values;
    return read;
  }
  return reads_[free_reads_.pop_back()];
}

// Determines the cycle in which the instruction leaves the pipeline stage Allocate, reserves read ports for
// its reads, and sends the reads.
void ReadWindow::allocate(Cycle now, std::uint16_t number) {
  Slot& slot = slots_[number];
  look_up(slot);
  const Cycle entry = std::max(now + 1, left_ + 1);
  const auto [first, leaves] = first_fit(entry, slot);
  left_ = leaves;
  held_cycles_ += left_ - entry;
  slot.item->operands_at = slot.complete_at = left_ + kReadCycles;
  for (std::size_t r = 0; r < slot.words; ++r) {
    slot.reads[r] = nullptr;
    if (slot.reuse[r].hit != ReuseCache::kNone)
      --slot.open;
    else
      send(now, number, r, ports_.take_first(bank_of(slot, r), first, left_ + kReadCycles - 1));
  }
  slot.sent = slot.words;
  window_.push_back(number);
  if (check_)
    check_->writes_at(*slot.item,
                      slot.complete_at + static_cast<Cycle>(latencies_->to_write(*slot.item->instruction)));
}

void ReadWindow::look_up(Slot& slot) {
  for (std::size_t r = 0; r < slot.words; ++r) {
    const OperandWord& word = word_of(slot, r);
    slot.reuse[r] =
        reuse_.look_up(bank_of(slot, r), word.slot, slot.item->warp(), word.reg, word.annotation.reuse);
    if (slot.reuse[r].hit != ReuseCache::kNone) ++*hits_[word.slot];
    fills_ += slot.reuse[r].fills != ReuseCache::kNone;
  }
  fixed_reads_ += slot.words;
}

// Returns the first cycle of the instruction's reads, and the cycle in which the instruction leaves the
// pipeline stage Allocate. The two cycles are equal, unless the instruction reads more words of one bank than
// this bank can serve in three cycles. In this case, the additional words are read earlier, while the
// instruction is in Allocate.
std::pair<Cycle, Cycle> ReadWindow::first_fit(Cycle entry, const Slot& slot) const {
  std::array<std::pair<std::size_t, int>, kMostReads> needs;
  std::size_t count = 0;
  for (std::size_t r = 0; r < slot.words; ++r) {
    if (slot.reuse[r].hit != ReuseCache::kNone) continue;
    const std::size_t bank = bank_of(slot, r);
    std::size_t n = 0;
    while (n < count && needs[n].first != bank) ++n;
    if (n == count) needs[count++] = {bank, 0};
    ++needs[n].second;
  }
  Cycle least = kReadCycles;
  for (std::size_t n = 0; n < count; ++n) least = std::max(least, ports_.cycles_for(needs[n].second));
  const Cycle before = least - kReadCycles;
  for (Cycle first = entry;; ++first) {
    const Cycle last = first + before + kReadCycles - 1;
    if (std::all_of(needs.begin(), needs.begin() + count, [&](const auto& need) {
          return ports_.free_in(need.first, first, last, need.second) == need.second;
        }))
      return {first, first + before};
  }
}

void ReadWindow::send(Cycle now, std::uint16_t number, std::size_t word, Cycle served) {
  Slot& slot = slots_[number];
  const InFlight& item = *slot.item;
  Read& read = open_read();
  slot.reads[word] = &read;
  read.slot = number;
  read.answered = read.abandoned = false;
  RegisterAccess& access = read.access;
  access.set_register(item.warp(), RegId(word_of(slot, word).reg));
  access.mask = item.mask;
  access.live = item.live;
  access.instruction = item.instruction;
  access.operand = &word_of(slot, word);
  access.earliest_service = served;
  access.data_at = 0;
  access.owner = slot.item;
  const ReadsTaken taken = path_->take_reads(RegisterPath::Sender::collectors, {&access, 1});
  if (taken.count == 0) throw InternalError("the banks refuse a read whose port is reserved");
  if (taken.answered) answered(now, access);
}

// Sends reads of variable-latency instructions, in the order of issue. The reads use the bank ports that are
// free in the next cycle.
void ReadWindow::read_variable(Cycle now) {
  for (const std::uint16_t number : waiting_) {
    Slot& slot = slots_[number];
    if (now < slot.item->issued + kFirstVariableRead) continue;
    if (check_ && !slot.read) check_->read(now, *slot.item, false);
    slot.read = true;
    while (slot.sent < slot.words) {
      if (ports_.take_first(bank_of(slot, slot.sent), now + 1, now + 1) == kNever) break;
      send(now, number, slot.sent++, now + 1);
    }
    if (slot.words == 0 && slot.complete_at == 0) slot.complete_at = now + 1;
  }
}

void ReadWindow::dispatch_fixed(Cycle now) {
  if (window_.empty() || slots_[window_[0]].complete_at != now) return;
  const std::uint16_t number = window_[0];
  window_.drop_front(1);
  Slot& slot = slots_[number];
  merge(now, slot);
  if (!output_.offer(slot.item)) throw InternalError("a unit refuses an instruction of fixed latency");
  leave(number);
  // Drops results that no instruction can need any more. The oldest instruction in the window needs results
  // from its issue cycle on. If the window is empty, an instruction that issued in cycle now - 1 may still be
  // in the input queue. This instruction needs results from cycle now - 1 on.
  results_.forget(window_.empty() ? now - 1 : slots_[window_[0]].item->issued);
}

// Sets the operands of an instruction. The value of an operand was read from the register's row in its bank, or
// comes from an entry of the reuse cache. Results that arrived after the read replace the value from the row,
// but not the value from a cache entry. If an earlier result still waits for the write port of its bank, the
// value in the row is outdated. The operand then gets the waiting result.
void ReadWindow::merge(Cycle now, Slot& slot) {
  InFlight& item = *slot.item;
  if (check_) {
    check_->read(now, item, true);
    check_->reads_over(now, item);
  }
  for (std::size_t r = 0; r < slot.words; ++r) {
    const OperandWord& word = word_of(slot, r);
    LaneVec& value = *item.value(word);
    const ReuseCache::LookUp& reuse = slot.reuse[r];
    if (reuse.hit != ReuseCache::kNone) {
      value = reuse_.values(reuse.hit);
    } else if (slot.reads[r]->answered) {
      value = take_value(*slot.reads[r]);
      results_.merge(slot.accepted, item.warp(), word.reg, value);
    } else {
      slot.reads[r]->abandoned = true;
      value = path_->debug_read(item.warp(), RegId(word.reg));
    }
    if (reuse.fills != ReuseCache::kNone) reuse_.values(reuse.fills) = value;
  }
  for (unsigned rest = item.footprint->read_at_issue; rest; rest &= rest - 1) {
    const auto s = static_cast<std::size_t>(std::countr_zero(rest));
    const isa::Operand& o = item.instruction->src[s];
    if (!o.is_pred()) continue;
    const LaneMask negate = o.negated ? kAllLanes : 0;
    LaneMask& value = item.operands.pred_src[s];
    value =
        results_.merge(item.issued == 0 ? 0 : item.issued - 1, item.warp(), o.pred, value ^ negate) ^ negate;
  }
}

// Offers complete instructions to their units, oldest first. Memory instructions of a warp are dispatched in
// program order.
void ReadWindow::dispatch_variable(Cycle now) {
  bool memory_refused = false;
  for (std::size_t i = 0; i < waiting_.size();) {
    const std::uint16_t number = waiting_[i];
    Slot& slot = slots_[number];
    InFlight& item = *slot.item;
    const bool held = slot.sent == slot.words && slot.open == 0 && slot.complete_at != 0;
    if (!held || slot.complete_at >= now) {
      ++i;
      continue;
    }
    if (!item.reads_released) {
      for (std::size_t r = 0; r < slot.words; ++r) *item.value(word_of(slot, r)) = take_value(*slot.reads[r]);
      if (check_) check_->reads_over(now, item);
      item.operands_at = slot.complete_at;
      item.reads_released = true;
      life_->reads_held(item);
    }
    const bool memory = item.footprint->memory;
    if (memory && (memory_refused || waits_for_older_access(slot))) {
      ++i;
      continue;
    }
    if (!output_.offer(&item)) {
      memory_refused |= memory;
      ++i;
      continue;
    }
    waiting_.erase(i);
    leave(number);
  }
}

bool ReadWindow::waits_for_older_access(const Slot& slot) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](std::uint16_t number) {
    const Slot& other = slots_[number];
    return other.age < slot.age && other.item->footprint->memory && other.item->warp() == slot.item->warp();
  });
}

void ReadWindow::leave(std::uint16_t number) {
  Slot& slot = slots_[number];
  InFlight& item = *slot.item;
  life_->dispatched(item);
  slot.item = nullptr;
  sets_.give_back(item, number);
  ++dispatched_;
}

namespace {

const OperandStageRegistration<ReadWindow, ReadWindowParameters> read_window_entry{
    "read-window", "Control, Allocate and three read cycles, with bypass and reuse cache (Huerta 2025, 5.3)"};

const Arrays<OperandStage> read_window_arrays{"read-window",
                                              {{"reuse cache",
                                                "reuse_positions * reuse_entries * banks",
                                                "1024",
                                                "1R1W",
                                                {"register_file.reuse_cache"}}}};

}  // namespace
}  // namespace heddle
