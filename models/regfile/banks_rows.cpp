// What the banks do with rows beside serving accesses: announcements, releases, poison, states of rows, what others
// see of them, debug access.

#include <algorithm>
#include <utility>

#include "models/regfile/banks.h"

namespace heddle {

// Where no stage stands above, every announced word comes.
RegisterInterests Banks::interests() const {
  return hears::warps | (always_on_ ? 0 : hears::prepares) |
         (always_on_ || !answered_above_ ? 0 : hears::operands | hears::completions) |
         (segments_ ? hears::prepares : 0) | (speeds_ && speeds_->mode().adaptive() ? hears::issues : 0);
}

void Banks::settle(Cycle cycle) {
  power_->settle(cycle);
  if (speeds_) speeds_->mode().settle(cycle);
}

// Between launches no time counts.
void Banks::kernel_begins(const KernelBegins& kernel) {
  power_->begins(kernel.cycle);
  if (speeds_) speeds_->mode().begins(kernel.cycle);
}

void Banks::probes(const ProbeScope& scope) {
  arbiter_->probes(scope.part("arbiter"));
  format_->probes(scope.part("format"));
  power_->probes(scope.part("power"));
  if (segments_) segments_->probes(scope);
  if (speeds_) speeds_->mode().probes(scope);
}

RegisterStage::Answer Banks::announce(RegisterAccess& access) {
  if (segments_) segments_->announced(access);
  if (always_on_) return Answer::answered;
  if (!static_map_)
    for (const RegisterWord& word : access.prepare->destination_words()) place_written(word.place);
  if (static_map_)
    uses_->announce(now(), access,
                    [places = map_.places_of(access.warp)](const RegisterWord& word) -> const RegisterPlace& {
                      return places[word.row.value];
                    });
  else
    uses_->announce(now(), access,
                    [](const RegisterWord& word) -> const RegisterPlace& { return word.place; });
  return Answer::answered;
}

RegisterStage::Answer Banks::accept_unannounced(const RegisterAccess& access, const RegisterPlace& place,
                                                WaitingAccess& waiting, Cycle from) {
  waiting.from = row_arrived(access, place, from) + (waiting.write ? write_cycles_ : 0);
  return serve_later(waiting.from, place.bank, waiting.write ? Answer::answered : Answer::accepted);
}

RegisterStage::Answer Banks::read_unmapped(RegisterAccess& access) {
  if (access.command == RegisterCommand::write)
    throw InternalError("a write of a register that has no place");
  ++unmapped_reads_;
  access.takes = false;
  access.values->fill(kPoison);
  const Cycle served = std::max(access.earliest_service, now() + 1);
  access.data_at = std::max(access.data_at, served + static_cast<Cycle>(parameters_.latency_cycles) - 1);
  return Answer::answered;
}

RegisterStage::Answer Banks::release(RegisterAccess& access) {
  const RegisterPlace place = place_of(access);
  ++releases_done_;
  if (!place.set) return Answer::answered;
  const StoredRegister reg{place, access.warp, access.home};
  releases_.push_back({&access, reg, order_of(reg), now()});
  releasing_ |= std::uint64_t{1} << place.bank.value;
  clock().wake_next();
  return Answer::accepted;
}

void Banks::end_releases() {
  const Cycle in = now();
  Release* kept = releases_.begin();
  std::uint64_t releasing = 0;
  released_.shrink(0);
  for (const Release& release : releases_) {
    const std::uint32_t b = release.reg.place.bank.value;
    releasing |= std::uint64_t{1} << b;
    if (release.at == in || banks_[b].waits_for(release.order, banks_[b].size(), false)) {
      if (kept != &release) *kept = release;
      ++kept;
      continue;
    }
    forget(release.reg);
    released_.push_back(release);
  }
  releasing_ = releasing;
  releases_.shrink(static_cast<std::size_t>(kept - releases_.begin()));
  if (released_.empty()) return;
  released_in_ = in;
  clock().wake_next();
  for (const Release& release : released_) respond(*release.access);
}

void Banks::forget(const StoredRegister& reg) {
  format_->poison(reg, kAllLanes);
  if (!always_on_) power_->freed(now(), reg.place);
}

void Banks::warp_begins(const WarpBegins& warp) {
  static_map_ = &mapping() == &map_;
  format_->warp_begins(warp, static_map_ ? &map_ : nullptr);
  if (!static_map_) return;
  if (speeds_) speeds_->placed(warp.registers, map_, warp.warp);
  for (std::uint32_t r = 0; r < warp.registers; ++r) {
    const RegisterPlace place = map_.place_of(warp.warp, RegId(r));
    format_->poison({place, warp.warp, RegId(r)}, kAllLanes);
    if (!always_on_) power_->allocated(now(), place);
  }
}

// Where a mapping of another stage has given the warp's rows places, these are still its.
void Banks::warp_ends(WarpId warp) {
  const std::uint32_t rows = static_map_ ? map_.registers_of(warp) : 256;
  for (std::uint32_t r = 0; r < rows; ++r)
    if (const RegisterPlace place = mapping().place_of(warp, RegId(r)); place.set)
      forget({place, warp, RegId(r)});
}

// A mapping of another stage has given the row to the value that is to be written.
void Banks::place_written(const RegisterPlace& place) {
  if (place.set) power_->allocated(now(), place);
}

// The slower of what the states of the rows and their partition say.
RowTiming Banks::take_port(const RegisterPlace& place, bool write) {
  RowTiming timing;
  if (shaped_) timing = power_->timing(now(), place, write);
  if (speeds_) {
    const RowTiming row = speeds_->serve(now(), place, write);
    timing = {std::max(timing.added_cycles, row.added_cycles), std::max(timing.busy_cycles, row.busy_cycles)};
  }
  if (timing.busy_cycles == 1) return timing;
  const Cycle until = now() + timing.busy_cycles;
  if (!view_.separate_ports || !write) busy_until_[2 * place.bank.value] = until;
  if (!view_.separate_ports || write) busy_until_[2 * place.bank.value + 1] = until;
  any_busy_until_ = std::max(any_busy_until_, until);
  return timing;
}

// Lanes that nobody drives bring poison.
void Banks::read_lanes(const RegisterAccess& access, ServedAccess& served) {
  if (segments_) served.lanes = segments_->read(access);
  if (shaped_) served.lanes &= power_->lanes_driven(access.mask);
  if (served.lanes == kAllLanes) return;
  for (int lane = 0; lane < kLanes; ++lane)
    if (!(served.lanes >> lane & 1)) (*access.values)[lane] = kPoison;
}

// What the accesses of that order open, from position `first` on, as far as no older write of it waits.
void Banks::drive(std::uint32_t b, std::uint32_t order, std::size_t first) {
  BankQueue& bank = banks_[b];
  bool older_write = bank.waits_for(order, first, true);
  for (std::size_t i = first; i < bank.size(); ++i) {
    WaitingAccess& waiting = bank.waiting(i);
    if (waiting.entry != order) continue;
    if (older_write) {
      waiting.sub_banks = 0;
      continue;
    }
    BankQueue::Item& item = bank.item(i);
    const RowDrive drive = waiting.write ? format_->write_drive(item.reg, *item.data, waiting.mask, item.live)
                                         : format_->read_drive(item.reg);
    item.read_first = waiting.write && drive.read_first;
    item.partial = drive.partial;
    item.widens = drive.widens;
    waiting.row = item.read_first ? drive.first_row : drive.row;
    waiting.sub_banks = item.read_first ? drive.first_sub_banks : drive.sub_banks;
    older_write = waiting.write;
  }
}

// The old contents have been read: the write itself comes in the next cycle.
void Banks::write_next(BankQueue& bank, std::uint32_t position) {
  BankQueue::Item& item = bank.item(position);
  WaitingAccess& waiting = bank.waiting(position);
  item.read_first = false;
  const RowDrive drive = format_->write_drive(item.reg, *item.data, waiting.mask, item.live);
  waiting.sub_banks = drive.sub_banks;
  waiting.row = drive.row;
  waiting.from = now() + 1;
  due_.add(now(), now() + 1, item.reg.place.bank.value);
  clock().wake_next();
}

std::span<const ServedAccess> Banks::served(Cycle cycle) const {
  if (served_in_ != cycle) return {};
  return served_;
}

std::uint64_t Banks::banks_served(Cycle cycle) const {
  std::uint64_t banks = 0;
  for (const ServedAccess& access : served(cycle)) banks |= std::uint64_t{1} << access.bank.value;
  return banks;
}

std::optional<StageBalance> Banks::balance(const RegisterFlow& came) const {
  StageBalance balance{
      {},
      {{"reads that come to the banks, reads served", came.reads, reads_.value() + unmapped_reads_.value()},
       {"writes that come to the banks, writes served", came.writes, writes_.value()}}};
  for (const RegisterPower::Rule& rule : power_->rules())
    balance.rules.push_back({rule.what, rule.left, rule.right});
  if (speeds_) {
    balance.rules.push_back(
        {"reads of rows of all speeds, reads served", speeds_->words(false), reads_.value()});
    balance.rules.push_back(
        {"writes of rows of all speeds, writes served", speeds_->words(true), writes_.value()});
  }
  if (sub_banks_) {
    sub_banks_->balance({reads_.value(), writes_.value(), read_sub_banks_.value(), write_sub_banks_.value()},
                        balance);
  }
  return balance;
}

void Banks::debug_read(RegisterAccess& access) {
  const RegisterPlace place = place_of(access);
  access.values->fill(kPoison);
  if (!place.set) return;
  const StoredRegister reg{place, access.warp, access.home};
  format_->read(reg, whole_rows_ ? kAllSubBanks : format_->read_drive(reg).sub_banks, *access.values);
  // A value that was taken out of its row is on its way.
  for (const Arriving& arriving : arriving_)
    if (arriving.access->takes && place_of(*arriving.access) == place)
      *access.values = *arriving.access->values;
  const BankQueue& bank = banks_[place.bank.value];
  const auto is_there = [&](std::size_t i) {  // of whole rows, the order is the row's
    return whole_rows_ ? bank.waiting(i).entry == place.entry : bank.item(i).reg.place == place;
  };
  for (std::size_t i = 0; i < bank.size(); ++i)
    if (bank.waiting(i).write && is_there(i))
      merge_lanes(*access.values, *bank.item(i).data, bank.waiting(i).mask);
}

bool Banks::flip_bit(RegisterAccess& access, int lane, int bit) {
  const RegisterPlace place = place_of(access);
  return place.set && format_->flip_bit({place, access.warp, access.home}, lane, bit);
}

}  // namespace heddle
