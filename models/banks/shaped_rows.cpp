#include "models/banks/shaped_rows.h"

#include <algorithm>

namespace heddle {

ShapedRows::ShapedRows(BankParts& parts, const RegisterStageContext& context)
    : BankRows(parts, context),
      shaped_(power().shapes_accesses()),
      gated_(shaped_ || !always_on() || context.parameters->banks.lane_gating != "none"),
      plain_(!gated_ && format().rows(BankId(0)) != nullptr),
      sub_bank_power_(format().sub_bank_power()),
      ports_(static_cast<std::size_t>(context.parameters->banks.count),
             context.parameters->banks.ports == "1r1w") {
  const BankParameters& parameters = context.parameters->banks;
  for (std::size_t b = 0; b < static_cast<std::size_t>(parameters.count); ++b)
    if (LaneVec* const rows = format().rows(BankId(static_cast<std::uint32_t>(b)))) rows_.push_back(rows);
  const int collectors = context.parameters->collectors.total();
  if (parameters.lane_gating != "none")
    segments_.emplace(parameters, whole_rows(), collectors, context.stats);
  if (parameters.partition.kind != "none") speeds_.emplace(parameters, *context.map, context.stats);
  if (!whole_rows())
    sub_banks_.emplace(context.stats, SubBankCounters::Shape{static_cast<std::size_t>(parameters.count),
                                                             collectors, parameters.ports == "1r1w",
                                                             context.parameters->collector_port == "sliced",
                                                             parts.limit, format().sub_banks()});
}

RegisterWants ShapedRows::wants() const { return BankRows::wants() | (segments_ ? wants::prepares : 0); }

LifeSet ShapedRows::subscriptions(const RegisterMapping& mapping) const {
  return BankRows::subscriptions(mapping) |
         (speeds_ && speeds_->mode().adaptive() ? LifeSet{Life::issued} : LifeSet{});
}

void ShapedRows::kernel_begins(Cycle cycle) {
  BankRows::kernel_begins(cycle);
  if (sub_bank_power_) sub_bank_power_->kernel_begins(cycle);
  if (speeds_) speeds_->mode().begins(cycle);
}

void ShapedRows::settle(Cycle cycle) {
  BankRows::settle(cycle);
  if (speeds_) speeds_->mode().settle(cycle);
}

void ShapedRows::warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping) {
  BankRows::warp_begins(now, warp, mapping);
  if (speeds_ && is_static()) speeds_->placed(warp.registers, warp.warp);
}

void ShapedRows::announced(Cycle now, const RegisterAccess& prepare) {
  if (segments_) segments_->announced(prepare);
  BankRows::announced(now, prepare);
}

void ShapedRows::probes(const ProbeScope& scope) {
  BankRows::probes(scope);
  if (segments_) segments_->probes(scope);
  if (speeds_) speeds_->mode().probes(scope);
}

void ShapedRows::add_rules(const BankTotals& totals, StageBalance& balance) const {
  BankRows::add_rules(totals, balance);
  if (speeds_) {
    balance.rules.push_back(
        {"reads of rows of all speeds, reads served", speeds_->words(false), totals.reads});
    balance.rules.push_back(
        {"writes of rows of all speeds, writes served", speeds_->words(true), totals.writes});
  }
  if (sub_banks_) sub_banks_->balance(totals, balance);
}

Cycle ShapedRows::take_shaped(Cycle now, const BankArrival& came, Cycle from) {
  BankQueue::Item& item = came.item;
  format().now = now;
  item.live = came.access.live;
  item.read_first = false;
  item.reserved = 0;
  item.held_from = 0;
  item.row = rows_.empty() ? nullptr : rows_[came.place.bank.value] + came.place.entry;
  if (segments_ && came.waiting.write) item.drives = segments_->mask_of(came.access);
  if (!always_on()) from = std::max(from, row_arrived(now, came.access, came.place));
  if (!whole_rows()) {
    came.waiting.entry = format().order_of(item.reg);
    if (came.bank.waits_for(came.waiting.entry, came.at, true))
      came.waiting.sub_banks = 0;
    else
      drive(now, came.waiting, item);
    if (item.held_from) item.held_from = std::max(item.held_from, from + write_cycles());
  }
  return from;
}

void ShapedRows::drive(Cycle now, WaitingAccess& waiting, BankQueue::Item& item) {
  const RowDrive drive = waiting.write ? format().write_drive(item.reg, *item.data, waiting.mask, item.live)
                                       : format().read_drive(item.reg);
  item.read_first = waiting.write && drive.read_first;
  item.partial = drive.partial;
  item.widens = drive.widens;
  item.note = drive.note;
  waiting.left = drive.left;
  waiting.row = item.read_first ? drive.first_row : drive.row;
  waiting.sub_banks = item.read_first ? drive.first_sub_banks : drive.sub_banks;
  if (sub_bank_power_ && waiting.write) reserve(now, item, drive.sub_banks);
}

void ShapedRows::reserve(Cycle now, BankQueue::Item& item, std::uint8_t sub_banks) {
  const BankId bank = item.reg.place.bank;
  item.reserved = sub_banks;
  sub_bank_power_->reserve(now, bank, sub_banks);
  if (sub_bank_power_->are_on(bank, sub_banks)) return;
  item.held_from = now + 1;
  held_banks_ |= std::uint64_t{1} << bank.value;
}

void ShapedRows::let_go(Cycle now, BankId id, BankQueue& bank) {
  bool rest = false;
  for (std::size_t i = 0; i < bank.size(); ++i) {
    BankQueue::Item& item = bank.item(i);
    if (item.held_from == 0) continue;
    if (!sub_bank_power_->are_on(id, item.reserved)) {
      rest = true;
      continue;
    }
    bank.waiting(i).from = std::max(item.held_from, now);
    item.held_from = 0;
  }
  if (!rest) held_banks_ &= ~(std::uint64_t{1} << id.value);
}

void ShapedRows::drive_held_back(Cycle now, BankQueue& bank, std::uint32_t order) {
  for (std::size_t i = 0; i < bank.size(); ++i) {
    WaitingAccess& waiting = bank.waiting(i);
    if (waiting.sub_banks != 0 || waiting.entry != order) continue;
    BankQueue::Item& item = bank.item(i);
    drive(now, waiting, item);
    if (item.held_from) {
      item.held_from = std::max(item.held_from, waiting.from);
      waiting.from = kNever;
    }
    if (waiting.write) return;
  }
}

Cycle ShapedRows::take_port_by_state(Cycle now, const RegisterPlace& place, bool write) {
  RowTiming timing = power().timing(now, place, write);
  if (speeds_) {
    const RowTiming row = speeds_->serve(now, place, write);
    timing = {std::max(timing.added_cycles, row.added_cycles), std::max(timing.busy_cycles, row.busy_cycles)};
  }
  return take_port_for(now, place, write, timing);
}

void ShapedRows::shape_write(Cycle now, const BankQueue::Item& item, ServedAccess& served) {
  if (segments_) served.lanes = segments_->written(item.drives);
  if (!always_on()) poison_lost(now, item.reg, true);
}

void ShapedRows::shape_read(const RegisterAccess& access, ServedAccess& served) {
  if (segments_) served.lanes = segments_->read(access);
  if (shaped_) served.lanes &= power().lanes_driven(access.mask);
  if (served.lanes == kAllLanes) return;
  for (int lane = 0; lane < kLanes; ++lane)
    if (!(served.lanes >> lane & 1)) (*access.values)[lane] = kPoison;
}

}  // namespace heddle
