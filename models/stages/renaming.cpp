#include "models/stages/renaming.h"

#include <algorithm>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {

void RenamingParameters::fields(FieldVisitor& v) {
  v.field("release", release, {"flags", "redefinition"},
          "when a register gives up its entry: where the compiler's flags say so (001, 6), or when the whole "
          "warp writes it anew (001, 9.5: hardware alone)");
  v.field(
      "allocate", allocate, {"prepare", "write"},
      "when an entry is chosen: as the instruction gets a collector (001, Fig. 6), or at the first write");
  v.field("packing", packing, {"subarrays", "round-robin"},
          "which entry: the lowest of the lowest subarray that is on (001, 8.2), or the next in turn");
  v.field(
      "bank_full", bank_full, {"wait", "next-bank"},
      "a register stays in the bank that the layout gives it (001, 7.1), or goes to the next one with room");
  v.field("subarrays", subarrays, {1, 32}, "subarrays of a bank (001, 8.2: four)");
  v.field(
      "table_banks", table_banks, {1, 32},
      "banks of the renaming table, by register number; each answers one look-up a cycle (001, 7.1: four)");
  v.field("latency_cycles", latency_cycles, {0, 16},
          "cycles that a look-up adds to an access (001, 7.1: one)");
  v.group("gating", gating,
          "subarrays: parts of a bank, off while nothing in them is mapped (001, 8.2; no overhead is counted "
          "there: idle-detect 0, break-even 1)");
}

Renaming::Renaming(const RenamingParameters& p, Context& context)
    : PassingStage(context),
      parameters_(p),
      by_flags_(p.release == "flags"),
      at_prepare_(p.allocate == "prepare"),
      next_bank_(p.bank_full == "next-bank"),
      claims_followed_(context.claims_followed),
      latency_(static_cast<Cycle>(p.latency_cycles)),
      layout_(context.parameters->banks.home()),
      map_(*this),
      table_(context.max_warps, p.table_banks),
      claims_(context.parameters->banks, context.max_warps, next_bank_),
      exempt_(static_cast<std::size_t>(context.max_warps)),
      registers_(static_cast<std::size_t>(context.max_warps)),
      power_(context.power, context.stats, static_cast<std::size_t>(context.parameters->banks.count),
             p.subarrays, p.gating),
      look_ups_(
          context.stats.add("look_ups", "accesses", "look-ups of reads and writes in the renaming table")),
      conflicts_(context.stats.add("conflict_cycles", "access-cycles",
                                   "cycles that look-ups waited for a bank of the table")),
      maps_(context.stats.add("maps", "registers", "registers that got an entry; table updates")),
      unmaps_(context.stats.add("unmaps", "registers", "registers that gave up their entry; table updates")),
      moves_(context.stats.add("moves", "registers",
                               "of both, those whose new value went to another entry than the old one")),
      waits_(context.stats.add("waits", "accesses",
                               "announcements and writes that found no free entry in a subarray that is on")),
      exempt_accesses_(context.stats.add("exempt_accesses", "accesses",
                                         "reads and writes of exempt registers, without a look-up")),
      touched_count_(context.stats.add("touched", "entries", "entries that ever held a register")),
      allocated_peak_(context.stats.add("allocated_peak", "entries",
                                        "the most registers that resident warps had at one time")),
      mapped_cycles_(context.stats.add("mapped_cycles", "entry-cycles", "entries that hold a register")),
      free_cycles_(context.stats.add("free_cycles", "entry-cycles", "entries that can be taken")),
      allocated_cycles_(context.stats.add("allocated_cycles", "entry-cycles", "registers of resident warps")),
      subarray_cycles_(context.stats.add("occupied_subarray_cycles", "subarray-cycles",
                                         "subarrays that hold a register")) {
  const auto packing =
      p.packing == "subarrays" ? Availability::Packing::subarrays : Availability::Packing::round_robin;
  for (const int depth : context.parameters->banks.depths()) {
    const auto entries = static_cast<std::uint32_t>(depth);
    if (entries < static_cast<std::uint32_t>(p.subarrays))
      throw Error(
          "register_file.stages[renaming].subarrays",
          std::to_string(p.subarrays) + " subarrays of a bank with " + std::to_string(depth) + " entries",
          "at most as many as entries");
    banks_.emplace_back(entries, static_cast<std::uint32_t>(p.subarrays), packing);
    watched_.push_back(std::make_unique<Watched>(AllocatorPoint::Owner{
        entries, static_cast<std::uint32_t>(p.subarrays), packing == Availability::Packing::subarrays}));
    entries_ += entries;
    deepest_ = std::max(deepest_, entries);
  }
  leaving_.resize(banks_.size() * deepest_);
  touched_.resize(leaving_.size());
  claims_.set_refresh([this] { begin(); });
  table_size_ = {static_cast<std::uint32_t>(context.max_warps), deepest_,
                 static_cast<std::uint32_t>(banks_.size())};
}

// --- warps and kernels

void Renaming::kernel_begins(const KernelBegins& kernel) {
  claims_.program_begins(*kernel.program);
  free_all(false);
  power_.begin_kernel();
  behind_ = 0;
}

void Renaming::warp_begins(const WarpBegins& warp) {
  begin();  // the warp that had the slot before has given up what it had
  if (warp.program && warp.program != claims_.program()) claims_.program_begins(*warp.program);
  claims_.warp_begins(warp.warp, warp.cta_slot);
  exempt_[warp.warp.value] = warp.program ? warp.program->exempt_registers : 0;
  quick_ = by_flags_ && &mapping() == &map_ && !table_probe_.attached();
}

void Renaming::warp_ends(WarpId warp) {
  count_allocated_to(now());
  allocated_ -= registers_[warp.value];
  registers_[warp.value] = 0;
  ended_.push_back({warp, now()});
  behind_ = std::min(behind_, now());
  wake_next();
}

void Renaming::issued(const InstructionIssued& issued) {
  begin();
  claims_.issued(issued.warp, *issued.instruction, issued.mask);
}

void Renaming::Map::bind_warp(WarpId warp, std::uint32_t registers) {
  stage_->count_allocated_to(stage_->now());
  if (stage_->allocated_ == 0 && stage_->power_.gates()) stage_->power_.advance(stage_->now());
  stage_->registers_[warp.value] = registers;
  stage_->allocated_ += registers;
  if (stage_->allocated_ <= stage_->peak_) return;
  stage_->allocated_peak_ += stage_->allocated_ - stage_->peak_;
  stage_->peak_ = stage_->allocated_;
}

void Renaming::Map::release_warp(WarpId) {}

RegisterPlace Renaming::Map::place_of(WarpId warp, RegId row) const {
  for (const Ended& ended : stage_->ended_)
    if (ended.warp == warp) return {};
  return stage_->table_.find(warp, row);
}

std::uint32_t Renaming::Map::free_entries(BankId bank) const {
  stage_->begin();
  return stage_->banks_[bank.value].free();
}

// --- what earlier cycles have left to do

// Before anything else happens here in a cycle, whoever asks first: entries whose release was answered in an
// earlier cycle can be taken, and warps that ended in one give up what they have. What is answered in this cycle comes
// behind it.
void Renaming::begin_cycle() {
  behind_ = power_.gates() ? now() : kNever;
  // With no warp and nothing mapped, subarrays wait for the next warp or the end of the kernel: what they do behind
  // it must not hang on whether somebody else still ticks.
  if (power_.gates() && (mapped_ | allocated_) != 0) power_.advance(now());
  if (!freed_.empty()) {
    free_all(power_.gates());
    room_in_ = now();
  }
  if (!ended_.empty()) end_warps();
}

inline void Renaming::free_entry(const Freed& freed, bool gates) {
  count_to(now());
  Availability& bank = banks_[freed.place.bank.value];
  if (watched_[freed.place.bank.value]->probe.attached()) [[unlikely]]
    watched_[freed.place.bank.value]->probe.told({true, freed.place.entry, 0, 0});
  occupied_subarrays_ -= bank.give(freed.place.entry);
  --mapped_;
  if (gates) power_.freed(now(), freed.place.bank.value, bank.occupied());
  if (freed.charge.charged) claims_.credit(freed.charge.cta, freed.charge.pool);
}

void Renaming::free_all(bool gates) {
  for (const Freed& freed : freed_) free_entry(freed, gates);
  freed_.shrink(0);
}

void Renaming::give_back(const Freed& freed) { free_entry(freed, power_.gates()); }

void Renaming::end_warps() {
  std::erase_if(ended_, [this](const Ended& ended) {
    if (ended.at >= now()) return false;
    end_warp(ended.warp);
    return true;
  });
  if (!ended_.empty()) behind_ = now();
}

void Renaming::end_warp(WarpId warp) {
  const RegisterSet mapped = table_.mapped(warp);
  if (claims_followed_) claims_.warp_ends(warp, mapped);
  mapped.for_each([&](std::uint32_t r) {
    const RegisterPlace place = table_.find(warp, RegId(r));
    give_up_own(warp, RegId(r), place, true);
    table_.unmap(warp, RegId(r));
    tell_table(TablePoint::View::unmaps, warp, RegId(r), {});
    if (!exempt(warp, RegId(r))) ++unmaps_;
  });
}

void Renaming::tick() {
  begin();
  if (!pending_.empty() && credit_.may_send(now())) send_own();
  if (first_refusal() == kNever) {
    if (!power_.gates() && pending_.empty() && behind_ == kNever) due_at(kNever);
    return;
  }
  const bool room = (room_in_ != kNever && room_in_ > first_refusal()) || asks_again_ || power_.woken();
  if (first_refusal() < now() && room) {
    retry();
    asks_again_ = false;
    if (first_refusal() == kNever) return;
  }
  const Cycle change = power_.gates() ? power_.next_change() : kNever;
  if (first_refusal() == now() || power_.woken())
    clock().wake_next();
  else if (change != kNever)
    clock().wake_at(change);
}

void Renaming::space_below() {
  credit_.retried(now());
  if (!pending_.empty()) wake_next();
  retry();
}

// --- looked at from outside

// Exempt registers are none of the table's.
RegisterPlace Renaming::seen(WarpId warp, RegId reg, RegisterPlace place) const {
  if (!exempt(warp, reg)) table_probe_.answered({TablePoint::View::looks_up, warp, reg, {}}, place);
  return place;
}

void Renaming::probes(const ProbeScope& scope) {
  if (&mapping() != &map_) return;
  scope.part("table").add(table_probe_);
  for (std::size_t b = 0; b < watched_.size(); ++b)
    scope.part("bank" + std::to_string(b)).add(watched_[b]->probe);
}

void Renaming::debug_read(RegisterAccess& access) {
  access.place = map_.place_of(access.warp, access.home);
  initiator->transport_dbg(access);
}

bool Renaming::flip_bit(RegisterAccess& access, int, int) {
  access.place = map_.place_of(access.warp, access.home);
  return false;
}

std::optional<StageBalance> Renaming::balance(const RegisterFlow& came) const {
  if (&mapping() != &map_) return StageBalance{came, {}};
  StageBalance balance{
      came,
      {{"reads and writes that come, looked up or exempt", came.reads + came.writes,
        look_ups_.value() + exempt_accesses_.value()},
       {"mapped and free, entries", mapped_cycles_.value() + free_cycles_.value(), entries_ * counted_to_},
       {"entries that hold something, entries in the table and on their way back", mapped_,
        table_.entries() + leave_ + freed_.size()},
       {"registers that were first claimed when they were written", late_claims_, 0}}};
  if (allocated_ != 0) return balance;
  std::uint64_t claimed = entries_;
  for (const int free : claims_.unclaimed()) claimed -= static_cast<std::uint64_t>(free);
  for (const Freed& freed : freed_) claimed -= freed.charge.charged;
  balance.rules.push_back({"registers in the table when no warp is resident", table_.entries(), 0});
  balance.rules.push_back({"claims when no warp is resident", claimed, 0});
  balance.rules.push_back({"registers that got an entry, that gave it up", maps_.value(), unmaps_.value()});
  return balance;
}

namespace {
const Registration<RegisterStage, Renaming, RenamingParameters> renaming_entry{
    "renaming",
    "registers get entries of the banks as they are written, and give them up as they die (001)",
    {.kinds = {"mapping"}, .before = {"banks"}}};
}  // namespace

}  // namespace heddle
