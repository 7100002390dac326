#include "models/stages/renaming.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/core/error.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

constexpr std::size_t kTogether = 16;  ///< reads of an instruction, at most

/// Written by the whole warp, by an instruction.
bool is_new_value(const RegisterAccess& access) {
  return access.instruction && !access.instruction->guard.present &&
         (access.mask & access.live) == access.live;
}

/// The results of an instruction that is announced are looked up, before its sources, which come after it: the cycles that
/// they wait for their banks of the table.
Cycle look_up_results(const RegisterAccess& announcement, Cycle now, RegisterEntries& entries,
                      const ClaimBook& claims) {
  Cycle waits = 0;
  for (const RegisterWord& word : std::as_const(*announcement.prepare).destination_words())
    if (claims.comes_down(word.operand->annotation) && !entries.table().exempt(announcement.warp, word.home))
      waits += entries.table().take_port(now, word.home) - now;
  return waits;
}

/// Sends a release down: while the banks have it, its entry is nobody's.
template <class Forward>
RegisterAnswer send_release(RegisterAccess& release, RegisterEntries& entries, Forward&& forward) {
  const RegisterPlace place = release.place;
  entries.set_leaving(place, true);
  const RegisterAnswer answer = forward();
  if (answer != RegisterAnswer::accepted) entries.set_leaving(place, false);
  return answer;
}

/// A look-up, with what the access asked for before, and when its bank of the table had a port for it.
struct LookUp {
  RegisterAccess* access;
  Cycle earliest, at;
};
void undo_look_up(RenamingTable& table, const LookUp& look_up) {
  table.free_at(look_up.access->home) = look_up.at;
  look_up.access->earliest_service = look_up.earliest;
}

}  // namespace

Renaming::Renaming(const RenamingParameters& p, Context& context)
    : PassingStage(context),
      by_flags_(p.release == "flags"),
      at_redefinition_(p.release == "redefinition"),
      by_table_(p.release != "warp-end"),
      at_prepare_(p.allocate != "write"),
      at_placement_(p.allocate == "placement"),
      results_take_ports_(p.destinations == "table-port" && at_prepare_),
      pins_(p.exempt == "pinned" && p.release != "warp-end"),
      claims_followed_(context.claims_followed),
      latency_(static_cast<Cycle>(p.latency_cycles)),
      map_(*this),
      claims_(context.parameters->banks, context.max_warps, p.bank_full == "next-bank"),
      entries_(p, context),
      releases_(*this, entries_, claims_followed_ ? &claims_ : nullptr),
      residents_(context.max_warps, context.stats),
      look_ups_(
          context.stats.add("look_ups", "accesses", "look-ups of reads and writes in the renaming table")),
      conflicts_(context.stats.add("conflict_cycles", "access-cycles",
                                   "cycles that look-ups waited for a bank of the table")),
      moves_(context.stats.add("moves", "registers",
                               "of both, those whose new value went to another entry than the old one")),
      waits_(context.stats.add("waits", "accesses",
                               "announcements and writes that found no free entry in a subarray that is on")),
      exempt_accesses_(context.stats.add("exempt_accesses", "accesses",
                                         "reads and writes of exempt registers, without a look-up")) {
  claims_.set_refresh([this] { begin(); });
  entries_.on_asks_again([this] {
    asks_again_ = true;
    wake();
  });
  if (at_placement_ && claims_followed_)
    throw Error(
        "register_file.stages[renaming].allocate",
        "entries of whole warps as they begin, while registers are claimed one by one (register-throttle)",
        "prepare or write");
  due_.raise(0);
  if (!entries_.power().gates()) rest();
}

// --- warps and kernels

void Renaming::kernel_begins(const KernelBegins& kernel) {
  claims_.program_begins(*kernel.program);
  releases_.free_all(now());
  cta_warps_ = kernel.cta_warps;
  entries_.power().begin_kernel();
  due_.raise(0);
}

void Renaming::warp_begins(const WarpBegins& warp) {
  begin();
  if (warp.program && warp.program != claims_.program()) claims_.program_begins(*warp.program);
  const std::uint32_t exempt = warp.program ? warp.program->exempt_registers : 0;
  // With the first warp of a kernel, which tells the partition.
  if (cta_warps_ != 0 && warp.program && &mapping() == &map_) {
    entries_.pin({warp.registers, pins_ ? exempt : 0, warp.program->exempt_warps, cta_warps_}, warp.warp);
    claims_.pin(entries_.pinned().reserved(), entries_.pinned().of_a_warp());
    cta_warps_ = 0;
  }
  claims_.warp_begins(warp.warp, warp.cta_slot);
  entries_.table().set_exempt(warp.warp, by_table_ ? exempt : RenamingTable::kRegisters);
  if (!at_placement_ || &mapping() != &map_) return;
  for (std::uint32_t r = 0; r < warp.registers; ++r) map(warp.warp, RegId(r));
}

// What entries come back in this cycle is known before.
void Renaming::warp_gone(WarpId warp) {
  begin();
  const RegisterSet mapped = entries_.table().mapped(warp);
  if (claims_followed_) claims_.warp_ends(warp, mapped);
  mapped.for_each([&](std::uint32_t r) {
    releases_.give_up(warp, RegId(r), entries_.table().find(warp, RegId(r)),
                      !entries_.pinned().has(warp, RegId(r)));
    send_own();
    entries_.unmap(warp, RegId(r));
  });
}

void Renaming::issued(const InFlight& item) {
  begin();
  claims_.issued(item.warp(), *item.instruction, item.mask);
}

void Renaming::Map::bind_warp(WarpId warp, std::uint32_t registers) {
  SubarrayPower& power = stage_->entries_.power();
  if (!stage_->residents_.any() && power.gates()) power.advance(stage_->now());
  stage_->residents_.begins(stage_->now(), warp, registers);
}

std::uint32_t Renaming::Map::free_entries(BankId bank) const {
  stage_->begin();
  return stage_->entries_.bank(bank.value).free();
}

// Entries whose release was answered in an earlier cycle can be given. What is answered in this cycle comes after it.
void Renaming::begin() {
  if (!due_.seen(now())) return;
  SubarrayPower& power = entries_.power();
  due_.lower();
  if (power.gates()) {
    due_.raise(now());
    // With no warp and nothing mapped, subarrays wait for the next warp or the end of the kernel: what they do after
    // it must not depend on whether somebody else still ticks.
    if (entries_.any_mapped() || residents_.any()) power.advance(now());
  }
  if (releases_.any(now()) && releases_.free(now(), power.gates()) && refusals().any_before(now()))
    room_ = true;
}

// --- accesses

// Each way ends in a call that gives its answer, so that it saves only its own registers.

RegisterStage::Answer Renaming::take(RegisterAccess& access) {
  if (due_.seen(now())) {
    begin();
    return take(access);
  }
  if (&mapping() != &map_) return forward(access);
  if (access.command == RegisterCommand::read) {
    entries_.look_up(access);
    return send(access, false);
  }
  switch (access.command) {
    case RegisterCommand::write:
      return write(access);
    case RegisterCommand::prepare:
      return announce(access);
    case RegisterCommand::release:
      return release(access);
    default:
      return forward(access);
  }
}

// Passes after the look-up, which an exempt register does not need. A result takes along the entry that its instruction was
// given when it was announced (Jeon 2015, Fig. 6). What is refused below has not been here.
RegisterStage::Answer Renaming::send(RegisterAccess& access, bool has_entry) {
  const bool exempt = entries_.table().exempt(access.warp, access.home);
  if (exempt || has_entry) {
    const Answer answer = forward(access);
    if (answer != Answer::refused) ++(exempt ? exempt_accesses_ : look_ups_);
    return answer;
  }
  const Cycle in = now(), earliest = access.earliest_service;
  const Cycle at = entries_.table().take_port(in, access.home);
  conflicts_ += at - in;
  ++look_ups_;
  access.earliest_service = std::max(earliest, in + 1) + (at - in) + latency_;
  if (const Answer answer = forward(access); answer != Answer::refused) return answer;
  undo_look_up(entries_.table(), {&access, earliest, at});
  conflicts_ -= at - in;
  look_ups_ -= 1;
  return Answer::refused;
}

// What the stage below does not take has not been here, from the last one back.
ReadsTaken Renaming::take_reads(std::span<RegisterAccess> reads) {
  if (due_.seen(now())) begin();
  if (&mapping() != &map_) return forward_reads(reads);
  if (reads.size() - 1 >= kTogether || entries_.probes().see_table()) return PassingStage::take_reads(reads);
  RenamingTable& table = entries_.table();
  const WarpId warp = reads.front().warp;
  const RegisterPlace* const places = table.row(warp);
  const std::uint32_t exempt_below = table.exempt_below(warp);
  const Cycle in = now(), latency = latency_;
  std::array<Cycle, kTogether> earliest, at;
  std::uint32_t exempt = 0, looked_up = 0;
  Cycle waited = 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    RegisterAccess& read = reads[i];
    read.place = places[read.home.value];
    if (read.home.value < exempt_below) {
      exempt |= 1u << i;
      continue;
    }
    earliest[i] = read.earliest_service;
    at[i] = table.take_port(in, read.home);
    waited += at[i] - in;
    read.earliest_service = std::max(earliest[i], in + 1) + (at[i] - in) + latency;
    ++looked_up;
  }
  const ReadsTaken taken = forward_reads(reads);
  for (std::size_t i = reads.size(); i-- > taken.count;) {
    if (exempt >> i & 1) continue;
    waited -= at[i] - in;
    undo_look_up(table, {&reads[i], earliest[i], at[i]});
    --looked_up;
  }
  look_ups_ += looked_up;
  exempt_accesses_ += taken.count - looked_up;
  conflicts_ += waited;
  return taken;
}

RegisterStage::Answer Renaming::write(RegisterAccess& access) {
  entries_.look_up(access);
  if (!access.place.set) {
    if (!map(access.warp, access.home)) return Answer::refused;
    entries_.look_up(access);
  } else if (at_redefinition_ && is_new_value(access) && entries_.has_lower(access.place)) {
    return write_moved(access);
  }
  return send(access, access.instruction && at_prepare_);
}

// Hardware alone: a new value written by the whole warp gets the lowest entry (Jeon 2015, 9.5).
RegisterStage::Answer Renaming::write_moved(RegisterAccess& access) {
  const RegisterPlace old = access.place;
  entries_.move_down(now(), access.warp, access.home, old);
  entries_.look_up(access);
  const Answer answer = send(access, at_prepare_);
  entries_.end_move(now(), access, old, answer == Answer::refused);
  if (answer == Answer::refused) return answer;
  ++moves_;
  releases_.give_up(access.warp, access.home, old, false);
  send_own();
  return answer;
}

// Results that come down get their entries.
RegisterStage::Answer Renaming::announce(RegisterAccess& access) {
  RegisterPrepare& note = *access.prepare;
  for (const RegisterWord& word : note.destination_words())
    if (at_prepare_ && claims_.comes_down(word.operand->annotation) &&
        !entries_.mapped(access.warp, word.home) && !map(access.warp, word.home))
      return Answer::refused;
  if (!wanted_below(wants::announcements)) {
    if (results_take_ports_) conflicts_ += look_up_results(access, now(), entries_, claims_);
    return Answer::answered;
  }
  const RegisterPlace* places = entries_.table().row(access.warp);
  RegisterWord* const end = note.words.data() + note.sources + note.destinations;
  for (RegisterWord* word = note.words.data(); word != end; ++word) word->place = places[word->home.value];
  const Answer answer = forward(access);
  if (results_take_ports_ && answer != Answer::refused)
    conflicts_ += look_up_results(access, now(), entries_, claims_);
  return answer;
}

RegisterStage::Answer Renaming::release(RegisterAccess& access) {
  entries_.look_up(access);
  if (!access.place.set) {
    releases_.unmapped(access);
    return Answer::answered;
  }
  const Answer answer = send_release(access, entries_, [&] { return forward(access); });
  if (answer != Answer::refused && releases_.taken(now(), access, answer)) {
    due_.raise(now());
    wake();
  }
  return answer;
}

void Renaming::answered(RegisterAccess& access) {
  if (access.command != RegisterCommand::release || &mapping() != &map_) return respond(access);
  begin();
  entries_.set_leaving(access.place, false);
  if (releases_.answered(now(), access)) {
    due_.raise(now());
    wake();
  }
  if (access.stage != this) return respond(access);
  releases_.reuse(access);
}

// False if there is no entry: what needs it is refused.
bool Renaming::map(WarpId warp, RegId reg) {
  if (claims_followed_ && !claims_.claimed_by(warp).test(reg.value)) {
    claims_.claim(warp, reg);
    ++late_claims_;
  }
  if (entries_.map(now(), warp, reg)) return true;
  ++waits_;
  wake();
  return false;
}

void Renaming::send_own() {
  while (RegisterAccess* const release = releases_.to_send(now())) {
    const Answer answer = send_release(*release, entries_, [&] { return forward(*release); });
    if (answer == Answer::refused) return releases_.refused(now());
    releases_.sent();
    if (answer == Answer::answered) answered(*release);
  }
  if (releases_.sends_later(now())) wake();
}

// --- time

void Renaming::tick() {
  begin();
  if (releases_.pending()) send_own();
  SubarrayPower& power = entries_.power();
  // What came in this cycle, before this tick, found the stage due already: it is due once more.
  if (due_.raised() && !power.gates()) wake();
  if (!refusals().any()) return;
  if (refusals().any_before(now()) && (room_ || asks_again_ || power.woken())) {
    retry();
    room_ = asks_again_ = false;
    if (!refusals().any()) return;
  }
  const Cycle change = power.gates() ? power.next_change() : kNever;
  if (!refusals().any_before(now()) || power.woken())
    wake();
  else
    due_at(change);
}

void Renaming::space_below() {
  releases_.retried(now());
  if (releases_.pending()) wake();
  retry();
  room_ = false;
}

// --- looked at from outside

void Renaming::settle(Cycle cycle) {
  entries_.count_to(cycle);
  residents_.count_to(cycle);
}

void Renaming::probes(const ProbeScope& scope) {
  if (&mapping() == &map_) entries_.probes().add_to(scope);
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
  StageBalance balance{came, {}};
  if (&mapping() != &map_) return balance;
  balance.rules = {{"reads and writes that come, looked up or exempt", came.reads + came.writes,
                    look_ups_.value() + exempt_accesses_.value()},
                   {"registers that were first claimed when they were written", late_claims_, 0}};
  entries_.add_rules(balance, releases_.returning(), !residents_.any());
  if (residents_.any()) return balance;
  std::uint64_t claimed = entries_.count() - releases_.charged();
  for (const std::uint32_t reserved : entries_.pinned().reserved()) claimed -= reserved;
  for (const int free : claims_.unclaimed()) claimed -= static_cast<std::uint64_t>(free);
  balance.rules.push_back({"claims when no warp is resident", claimed, 0});
  return balance;
}

namespace {
const Registration<RegisterStage, Renaming, RenamingParameters> renaming_entry{
    "renaming",
    "registers get entries of the banks as they are written, and give them up as they die (Jeon 2015)",
    {.kinds = {"mapping"}, .before = {"banks"}}};
}  // namespace

}  // namespace heddle
