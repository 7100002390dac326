#include "models/stages/register_entries.h"

#include <fmt/format.h>

#include "models/core/error.h"

namespace heddle {
namespace {

std::vector<Availability> make_banks(const RenamingParameters& p, const BankParameters& parameters) {
  const auto packing =
      p.packing == "subarrays" ? Availability::Packing::subarrays : Availability::Packing::round_robin;
  std::vector<Availability> banks;
  for (const int depth : parameters.depths()) {
    if (depth < p.subarrays)
      throw Error(
          "register_file.stages[renaming].subarrays",
          std::to_string(p.subarrays) + " subarrays of a bank with " + std::to_string(depth) + " entries",
          "at most as many as entries");
    banks.emplace_back(static_cast<std::uint32_t>(depth), static_cast<std::uint32_t>(p.subarrays), packing);
  }
  return banks;
}

std::uint32_t deepest_of(const BankParameters& parameters) {
  int deepest = 0;
  for (const int depth : parameters.depths()) deepest = std::max(deepest, depth);
  return static_cast<std::uint32_t>(deepest);
}

std::vector<AllocatorPoint::Owner> points_of(const std::vector<Availability>& banks,
                                             const RenamingParameters& p) {
  std::vector<AllocatorPoint::Owner> owners;
  for (const Availability& bank : banks)
    owners.push_back({bank.entries(), static_cast<std::uint32_t>(p.subarrays), p.packing == "subarrays"});
  return owners;
}

}  // namespace

RegisterEntries::RegisterEntries(const RenamingParameters& p, const RegisterStageContext& context)
    : next_bank_(p.bank_full == "next-bank"),
      claims_followed_(context.services.holdings_followed),
      deepest_(deepest_of(context.parameters->banks)),
      layout_(context.parameters->banks.home()),
      table_(context.max_warps),
      banks_(make_banks(p, context.parameters->banks)),
      pinned_(context.parameters->banks, context.partitions, next_bank_),
      claims_(context.parameters->banks, context.max_warps, next_bank_),
      power_(context.services.power, context.stats, banks_, p.subarrays, p.gating),
      probes_({static_cast<std::uint32_t>(context.max_warps), deepest_,
               static_cast<std::uint32_t>(banks_.size())},
              points_of(banks_, p)),
      all_(banks_.size() * deepest_),
      maps_(context.stats.add("maps", "registers", "registers that got an entry; table updates")),
      unmaps_(context.stats.add("unmaps", "registers", "registers that lost their entry; table updates")),
      touched_(context.stats.add("touched", "entries", "entries that ever held a register")),
      mapped_cycles_(context.stats.add("mapped_cycles", "entry-cycles", "entries that hold a register")),
      free_cycles_(context.stats.add("free_cycles", "entry-cycles", "entries that can be taken")),
      subarray_cycles_(context.stats.add("occupied_subarray_cycles", "subarray-cycles",
                                         "subarrays that hold a register")) {
  for (const Availability& bank : banks_) entries_ += bank.entries();
}

void RegisterEntries::kernel_begins(Cycle now, const isa::Program& program) {
  claims_.program_begins(program);
  free_answered_before(kNever, now, false);
  power_.begin_kernel();
}

void RegisterEntries::pin(const PinnedRegisters::Kernel& kernel, WarpId warp) {
  if (kernel.exempt != 0 || pinned_.any()) {
    if (mapped_ != 0) throw InternalError("a kernel begins while registers of another kernel are mapped");
    pinned_.begin(kernel, warp);
    for (std::size_t b = 0; b < banks_.size(); ++b) banks_[b].reserve(pinned_.reserved()[b]);
  }
  claims_.pin(pinned_.reserved(), pinned_.of_a_warp());
}

bool RegisterEntries::map(Cycle now, WarpId warp, RegId reg) {
  if (claims_followed_ && !claims_.claimed_by(warp).test(reg.value)) {
    claims_.claim(warp, reg);
    ++late_claims_;
  }
  if (pinned_.has(warp, reg)) return take_pinned(now, warp, reg);
  const auto home = std::size_t{layout_.bank_of(warp, reg)};
  bool mapped = take(now, warp, reg, home, false);
  for (std::size_t step = 1; next_bank_ && !mapped && step < banks_.size() && banks_[home].free() == 0;
       ++step)
    mapped = take(now, warp, reg, (home + step) % banks_.size(), false);
  if (mapped && !table_.exempt(warp, reg)) ++maps_;
  return mapped;
}

bool RegisterEntries::has_lower(const RegisterPlace& place) const {
  const Availability& bank = banks_[place.bank.value];
  const std::uint32_t lowest = bank.lowest();
  return lowest < place.entry && (power_.awake(place.bank.value) >> bank.subarray_of(lowest) & 1);
}

void RegisterEntries::end_move(Cycle now, const RegisterAccess& access, const RegisterPlace& old,
                               bool undone) {
  if (undone) {
    free(now, access.place, power_.gates());
    put(access.warp, access.home, old);
  } else if (!table_.exempt(access.warp, access.home)) {
    ++maps_;
    ++unmaps_;
  }
}

void RegisterEntries::put(WarpId warp, RegId reg, const RegisterPlace& place) {
  table_.map(warp, reg, place);
  if (probes_.see_table() && !table_.exempt(warp, reg))
    probes_.changed(RenamingProbes::What::maps, warp, reg, place);
}

RegisterSet RegisterEntries::warp_ends(WarpId warp) {
  const RegisterSet mapped = table_.mapped(warp);
  if (claims_followed_) claims_.warp_ends(warp, mapped);
  return mapped;
}

void RegisterEntries::release_unmapped(const RegisterAccess& release) {
  if (claims_followed_ && claims_.release(release.warp, release.home))
    claims_.credit(claims_.cta_of(release.warp), claims_.pool_of(release.warp, release.home));
}

void RegisterEntries::release(Cycle now, const RegisterAccess& release, RegisterAnswer answer) {
  leave(release, claims_followed_ && claims_.release(release.warp, release.home));
  unmap(release.warp, release.home);
  if (answer != RegisterAnswer::accepted) answered(now, release);
}

void RegisterEntries::leave(const RegisterAccess& release, bool charged) {
  Entry& leaving = entry(release.place);
  leaving.release = &release;
  leaving.charged = charged && claims_followed_;
  leaving.cta = claims_.cta_of(release.warp);
  ++leaving_;
}

void RegisterEntries::unmap(WarpId warp, RegId reg) {
  table_.unmap(warp, reg);
  if (table_.exempt(warp, reg)) return;
  ++unmaps_;
  if (probes_.see_table()) probes_.changed(RenamingProbes::What::unmaps, warp, reg, {});
}

bool RegisterEntries::answered(Cycle now, const RegisterAccess& release) {
  Entry& leaving = entry(release.place);
  if (leaving.release != &release) return false;
  leaving.release = nullptr;
  answered_.put(now, release.place);
  --leaving_;
  return true;
}

bool RegisterEntries::free_answered(Cycle now) {
  if (!answered_.any(now)) return false;
  free_answered_before(now, now, power_.gates());
  return true;
}

void RegisterEntries::free_answered_before(Cycle cycle, Cycle now, bool gates) {
  answered_.take(cycle, [&](const RegisterPlace& place) {
    free(now, place, gates);
    const Entry& of = entry(place);
    if (of.charged) claims_.credit(of.cta, pool_of(place));
  });
}

// Makes the entry free. `gates`: true if the power model must be notified.
void RegisterEntries::free(Cycle now, const RegisterPlace& place, bool gates) {
  count_to(now);
  const std::size_t b = place.bank.value;
  if (entry(place).release)
    throw InternalError(fmt::format("cycle {}: entry {} of bank {} is free while its release is at the banks",
                                    now, place.entry, b));
  if (probes_.see_bank(b) && place.entry >= banks_[b].reserved()) probes_.given(b, place.entry);
  occupied_subarrays_ -= banks_[b].give(place.entry);
  --mapped_;
  if (gates) power_.freed(now, b, banks_[b].occupied());
}

std::uint32_t RegisterEntries::choose(Cycle now, std::size_t b, bool lowest) {
  const DomainSet awake = lowest ? ~DomainSet{0} : power_.awake(b);
  const std::uint32_t entry = lowest ? banks_[b].lowest() : banks_[b].choose(awake);
  if (entry == Availability::kNone || probes_.see_bank(b)) return chosen(now, b, awake, entry);
  return entry;
}

// Passes the chosen entry through the probe point, where RTL may replace it. If no entry could be chosen,
// requests that a subarray wakes.
std::uint32_t RegisterEntries::chosen(Cycle now, std::size_t b, DomainSet awake, std::uint32_t entry) {
  const Availability& bank = banks_[b];
  AllocatorPoint::Answer answer{entry, entry == Availability::kNone ? bank.to_wake(awake) : 0};
  if (probes_.see_bank(b)) probes_.looked_for(b, awake, bank, answer);
  if (answer.entry == Availability::kNone && power_.gates()) power_.want(now, b, answer.wake);
  return answer.entry;
}

bool RegisterEntries::take(Cycle now, WarpId warp, RegId reg, std::size_t b, bool lowest) {
  const std::uint32_t entry = choose(now, b, lowest);
  if (entry == Availability::kNone) return false;
  count_to(now);
  hold(now, warp, reg, {BankId(static_cast<std::uint32_t>(b)), entry, true}, banks_[b].take(entry));
  return true;
}

// Maps an exempt register (a register that is not renamed) to its fixed entry. If the subarray of this entry
// is off, requests that the subarray wakes, and returns false.
bool RegisterEntries::take_pinned(Cycle now, WarpId warp, RegId reg) {
  const RegisterPlace& place = pinned_.place_of(warp, reg);
  const std::size_t b = place.bank.value;
  const DomainSet subarray = DomainSet{1} << banks_[b].subarray_of(place.entry);
  if (!(power_.awake(b) & subarray)) {
    power_.want(now, b, subarray);
    return false;
  }
  count_to(now);
  hold(now, warp, reg, place, banks_[b].pin(place.entry));
  return true;
}

void RegisterEntries::hold(Cycle now, WarpId warp, RegId reg, const RegisterPlace& place,
                           std::uint32_t subarrays) {
  const std::size_t b = place.bank.value;
  occupied_subarrays_ += subarrays;
  ++mapped_;
  if (!std::exchange(entry(place).touched, true)) ++touched_;
  put(warp, reg, place);
  if (!power_.gates()) return;
  power_.taken(now, b, banks_[b].occupied());
  if (power_.wanted(b) == 0) return;
  power_.want(now, b, 0);
  must_retry_();
}

void RegisterEntries::add_rules(StageBalance& balance, bool idle) const {
  const auto returning =
      leaving_ + static_cast<std::uint64_t>(std::distance(answered_.begin(), answered_.end()));
  balance.rules.push_back({"registers that were first claimed when they were written", late_claims_, 0});
  balance.rules.push_back(
      {"mapped and free, entries", mapped_cycles_.value() + free_cycles_.value(), entries_ * counted_to_});
  balance.rules.push_back({"entries that hold something, entries in the table and on their way back", mapped_,
                           table_.entries() + returning});
  if (!idle) return;
  balance.rules.push_back({"registers in the table when no warp is resident", table_.entries(), 0});
  balance.rules.push_back({"registers that got an entry, that lost it", maps_.value(), unmaps_.value()});
  std::uint64_t claimed = entries_;
  for (const RegisterPlace& place : answered_) claimed -= entry(place).charged;
  for (const std::uint32_t reserved : pinned_.reserved()) claimed -= reserved;
  for (const int free : claims_.unclaimed()) claimed -= static_cast<std::uint64_t>(free);
  balance.rules.push_back({"claims when no warp is resident", claimed, 0});
}

}  // namespace heddle
