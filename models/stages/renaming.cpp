#include "models/stages/renaming.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/core/error.h"
#include "models/core/part_arrays.h"
#include "models/core/registry.h"

namespace heddle {
namespace {

constexpr std::size_t kTogether = 32;

bool is_new_value(const RegisterAccess& access) {
  return access.instruction && !access.instruction->guard.present &&
         (access.mask & access.live) == access.live;
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
      claims_followed_(context.services.holdings_followed),
      map_(*this),
      entries_(p, context),
      look_ups_(p.table_banks, static_cast<Cycle>(p.latency_cycles), context.stats),
      own_(*this),
      residents_(context.max_warps, context.stats),
      moves_(context.stats.add("moves", "registers",
                               "registers whose new value went to another entry than the old value; maps and "
                               "unmaps count them too")),
      waits_(context.stats.add("waits", "accesses",
                               "announcements and writes that found no free entry in a subarray that is on")),
      exempt_accesses_(context.stats.add("exempt_accesses", "accesses",
                                         "reads and writes of exempt registers, without a look-up")) {
  entries_.claims().set_refresh([this] { begin(); });
  entries_.on_retry_needed([this] {
    must_retry_ = true;
    wake();
  });
  if (at_placement_ && claims_followed_)
    throw Error("register_file.stages[renaming].allocate",
                "allocates entries for whole warps, but registers are claimed one by one (register-throttle)",
                "prepare or write");
  due_.raise(0);
  if (!entries_.power().gates()) rest();
}

void Renaming::kernel_begins(const KernelBegins& kernel) {
  entries_.kernel_begins(now(), *kernel.program);
  cta_warps_ = kernel.cta_warps;
  due_.raise(0);
}

void Renaming::warp_begins(const WarpBegins& warp) {
  begin();
  ClaimBook& claims = entries_.claims();
  if (warp.program && warp.program != claims.program()) claims.program_begins(*warp.program);
  const std::uint32_t exempt = warp.program ? warp.program->exempt_registers : 0;
  if (cta_warps_ != 0 && warp.program && places_registers()) {
    const isa::Notes& notes = warp.program->notes;
    const auto warps = isa::NotedWords(notes, "exempt-warps").in(notes.of_program());
    const auto exempt_warps = static_cast<std::uint32_t>(warps.empty() ? 0 : warps[0]);
    entries_.pin({warp.registers, pins_ ? exempt : 0, exempt_warps, cta_warps_}, warp.warp);
    cta_warps_ = 0;
  }
  claims.warp_begins(warp.warp, warp.cta_slot);
  entries_.table().set_exempt(warp.warp, by_table_ ? exempt : RenamingTable::kRegisters);
  if (!at_placement_ || !places_registers()) return;
  for (std::uint32_t r = 0; r < warp.registers; ++r) map(warp.warp, RegId(r));
}

void Renaming::warp_gone(WarpId warp) {
  begin();
  entries_.warp_ends(warp).for_each([&](std::uint32_t r) {
    const RegId reg(r);
    give_up(warp, reg, entries_.table().find(warp, reg), !entries_.pinned(warp, reg));
    entries_.unmap(warp, reg);
  });
}

void Renaming::issued(const InFlight& item) {
  begin();
  entries_.claims().issued(item.warp(), *item.instruction, item.mask);
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

void Renaming::open_cycle() {
  SubarrayPower& power = entries_.power();
  due_.lower();
  if (power.gates()) {
    due_.raise(now());
    // While no warp is resident and no register is mapped, subarrays keep their power states. Otherwise the
    // counters would depend on the cycles in which other modules run.
    if (entries_.any_mapped() || residents_.any()) power.advance(now());
  }
  if (entries_.free_answered(now()) && refusals().any_before(now())) room_ = true;
}

RegisterStage::Answer Renaming::take(RegisterAccess& access) {
  begin();
  if (!places_registers()) return forward(access);
  switch (access.command) {
    case RegisterCommand::read:
    case RegisterCommand::write:
      return pass(access);
    case RegisterCommand::prepare:
      return announce(access);
    case RegisterCommand::release:
      return release(access);
    default:
      return forward(access);
  }
}

// Passes a read or write on, with the entry of its register. A write allocates an entry if there is none.
RegisterStage::Answer Renaming::pass(RegisterAccess& access) {
  entries_.look_up(access);
  if (access.command == RegisterCommand::read) return look_up(access);
  if (!access.place.set) {
    if (!map(access.warp, access.home)) return Answer::refused;
    entries_.look_up(access);
  } else if (at_redefinition_ && is_new_value(access) && entries_.has_lower(access.place)) {
    return move_down(access);
  }
  return look_up(access);
}

// Looks up the register of an access and sends the access to the stage below; if that stage refuses it,
// undoes the look-up. The announcement of an instruction precedes its reads. Unless entries are allocated at
// the write, the announcement finds the result's entry, and the write needs no look-up (Jeon 2015, Fig. 6).
RegisterStage::Answer Renaming::look_up(RegisterAccess& access) {
  const bool exempt = entries_.table().exempt(access.warp, access.home);
  const bool taken_along = access.command == RegisterCommand::write && access.instruction && at_prepare_;
  if (exempt || taken_along) {
    const Answer answer = forward(access);
    if (answer != Answer::refused) exempt ? ++exempt_accesses_ : look_ups_.note_taken_along(access);
    return answer;
  }
  return look_ups_.take_through(now(), access, [this](RegisterAccess& one) { return forward(one); });
}

ReadsTaken Renaming::take_reads(std::span<RegisterAccess> reads) {
  begin();
  if (!places_registers()) return forward_reads(reads);
  if (entries_.probes().see_table()) return PassingStage::take_reads(reads);
  const Cycle in = now();
  const RegisterPlace* const places = entries_.table().row(reads.front().warp);
  const std::uint32_t exempt_below = entries_.table().exempt_below(reads.front().warp);
  std::array<TableLookUps::Taken, kTogether> look_ups;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    reads[i].place = places[reads[i].home.value];
    if (reads[i].home.value >= exempt_below) look_ups[i] = look_ups_.take(in, reads[i]);
  }
  const ReadsTaken taken = forward_reads(reads);
  for (std::size_t i = reads.size(); i-- > taken.count;)
    if (reads[i].home.value >= exempt_below) look_ups_.undo(in, reads[i], look_ups[i]);
  if (exempt_below != 0)
    for (std::size_t i = 0; i < taken.count; ++i) exempt_accesses_ += reads[i].home.value < exempt_below;
  return taken;
}

// Models renaming by hardware alone, without release flags of the compiler (Jeon 2015, 9.5). A write to all
// live lanes of a register moves the register to the lowest free entry.
RegisterStage::Answer Renaming::move_down(RegisterAccess& access) {
  const RegisterPlace old = access.place;
  entries_.move_down(now(), access.warp, access.home, old);
  entries_.look_up(access);
  const Answer answer = look_up(access);
  entries_.end_move(now(), access, old, answer == Answer::refused);
  if (answer == Answer::refused) return answer;
  ++moves_;
  give_up(access.warp, access.home, old, false);
  return answer;
}

// Allocates entries for the results of an instruction that has just got a collector. Look-ups of its results
// get ports of the renaming table before look-ups of sources.
RegisterStage::Answer Renaming::announce(RegisterAccess& access) {
  RegisterPrepare& note = *access.prepare;
  for (const RegisterWord& word : note.destination_words())
    if (at_prepare_ && takes_entry(word) && !entries_.mapped(access.warp, word.home) &&
        !map(access.warp, word.home))
      return Answer::refused;
  Answer answer = Answer::answered;
  if (wanted_below(wants::announcements)) {
    const RegisterPlace* const places = entries_.table().row(access.warp);
    for (RegisterWord& word : std::span(note.words.data(), note.sources + note.destinations))
      word.place = places[word.home.value];
    answer = forward(access);
  }
  if (results_take_ports_ && answer != Answer::refused)
    for (const RegisterWord& word : note.destination_words())
      if (takes_entry(word) && !entries_.table().exempt(access.warp, word.home))
        look_ups_.take_for_result(now(), word.home);
  return answer;
}

RegisterStage::Answer Renaming::release(RegisterAccess& access) {
  entries_.look_up(access);
  if (!access.place.set) {
    entries_.release_unmapped(access);
    return Answer::answered;
  }
  const Answer answer = forward(access);
  if (answer == Answer::refused) return answer;
  entries_.release(now(), access, answer);
  if (answer == Answer::answered) note_answered();
  return answer;
}

void Renaming::answered(RegisterAccess& access) {
  if (access.command != RegisterCommand::release || !places_registers()) return respond(access);
  begin();
  if (entries_.answered(now(), access)) note_answered();
  if (access.stage != this) return respond(access);
  own_.reuse(access);
}

void Renaming::note_answered() {
  due_.raise(now());
  wake();
}

// Assigns an entry to the register. Returns false if no entry is available; the caller must then refuse the
// access.
bool Renaming::map(WarpId warp, RegId reg) {
  if (entries_.map(now(), warp, reg)) return true;
  ++waits_;
  wake();
  return false;
}

void Renaming::give_up(WarpId warp, RegId reg, const RegisterPlace& place, bool charged) {
  entries_.leave(own_.add(warp, reg, place), charged);
  send_own();
}

void Renaming::send_own() {
  while (RegisterAccess* const release = own_.to_send(now())) {
    const Answer answer = forward(*release);
    if (answer == Answer::refused) return own_.refused(now());
    own_.sent();
    if (answer == Answer::answered) answered(*release);
  }
  if (own_.sends_later(now())) wake();
}

void Renaming::tick() {
  begin();
  if (own_.pending()) send_own();
  SubarrayPower& power = entries_.power();
  if (due_.raised() && !power.gates()) wake();
  if (!refusals().any()) return;
  if (refusals().any_before(now()) && (room_ || must_retry_ || power.woken())) {
    retry();
    room_ = must_retry_ = false;
    if (!refusals().any()) return;
  }
  const Cycle change = power.gates() ? power.next_change() : kNever;
  if (!refusals().any_before(now()) || power.woken())
    wake();
  else
    due_at(change);
}

void Renaming::space_below() {
  own_.retried(now());
  if (own_.pending()) wake();
  retry();
  room_ = false;
}

void Renaming::settle(Cycle cycle) {
  entries_.count_to(cycle);
  residents_.count_to(cycle);
}

void Renaming::probes(const ProbeScope& scope) {
  if (!places_registers()) return;
  Gauge mapped{"mapped", "entries that hold a register", Gauge::Form::amount, entries_.count()};
  mapped.read = [this](Cycle, std::vector<std::uint64_t>& values) {
    values.push_back(entries_.table().entries());
  };
  scope.show(std::move(mapped));
  entries_.power().show(scope);
  entries_.probes().add_to(scope);
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
  if (!places_registers()) return balance;
  balance.rules = {{"reads and writes that come, looked up or exempt", came.reads + came.writes,
                    look_ups_.count() + exempt_accesses_.value()}};
  if (results_take_ports_) look_ups_.add_rules(balance);
  entries_.add_rules(balance, !residents_.any());
  return balance;
}

namespace {
const Registration<RegisterStage, Renaming, RenamingParameters> renaming_entry{
    "renaming",
    "registers get entries of the banks when they are written, and lose them when they are dead (Jeon 2015)",
    {.kinds = {"mapping"}, .before = {"banks"}}};

const Arrays<RegisterStage> renaming_arrays{
    "renaming",
    {{"renaming table",
      "renamed * (release.flags + release.redefinition)",
      "10",
      "1R1W in each of table_banks banks",
      {"register_file.renaming_table"}},
     {"free list of the banks", "rows", "1", "1R1W", {"register_file.free_list"}}}};
}  // namespace

}  // namespace heddle
