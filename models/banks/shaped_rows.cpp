#include "models/banks/shaped_rows.h"

#include <algorithm>

namespace heddle {

ShapedRows::ShapedRows(BankParts& parts, const RegisterStageContext& context)
    : BankRows(parts, context),
      shaped_(power().shapes_accesses()),
      separate_ports_(context.parameters->banks.ports == "1r1w"),
      limit_(parts.limit),
      open_(2 * static_cast<std::size_t>(context.parameters->banks.count)),
      ports_(static_cast<std::size_t>(context.parameters->banks.count),
             context.parameters->banks.ports == "1r1w") {
  const BankParameters& parameters = context.parameters->banks;
  const int collectors = context.parameters->collectors.total();
  if (parameters.lane_gating != "none")
    segments_.emplace(parameters, whole_rows(), collectors, context.stats);
  if (parameters.partition.kind != "none") speeds_.emplace(parameters, *context.map, context.stats);
  if (!whole_rows())
    sub_banks_.emplace(context.stats,
                       SubBankCounters::Shape{static_cast<std::size_t>(parameters.count), collectors,
                                              parameters.ports == "1r1w",
                                              context.parameters->collector_port == "sliced", parts.limit});
}

RegisterWants ShapedRows::wants() const { return BankRows::wants() | (segments_ ? wants::prepares : 0); }

LifeSet ShapedRows::hears(const RegisterMapping& mapping) const {
  return BankRows::hears(mapping) |
         (speeds_ && speeds_->mode().adaptive() ? LifeSet{Life::issued} : LifeSet{});
}

// Between launches no time counts.
void ShapedRows::kernel_begins(Cycle cycle) {
  BankRows::kernel_begins(cycle);
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

void ShapedRows::add_rules(const SubBankCounters::Totals& totals, StageBalance& balance) const {
  BankRows::add_rules(totals, balance);
  if (speeds_) {
    balance.rules.push_back(
        {"reads of rows of all speeds, reads served", speeds_->words(false), totals.reads});
    balance.rules.push_back(
        {"writes of rows of all speeds, writes served", speeds_->words(true), totals.writes});
  }
  if (sub_banks_) sub_banks_->balance(totals, balance);
}

void ShapedRows::drive(BankQueue& bank, std::uint32_t order, std::size_t first) {
  bool older_write = bank.waits_for(order, first, true);
  for (std::size_t i = first; i < bank.size(); ++i) {
    WaitingAccess& waiting = bank.waiting(i);
    if (waiting.entry != order) continue;
    if (older_write) {
      waiting.sub_banks = 0;
      continue;
    }
    BankQueue::Item& item = bank.item(i);
    const RowDrive drive = waiting.write ? format().write_drive(item.reg, *item.data, waiting.mask, item.live)
                                         : format().read_drive(item.reg);
    item.read_first = waiting.write && drive.read_first;
    item.partial = drive.partial;
    item.widens = drive.widens;
    waiting.left = drive.left;
    waiting.row = item.read_first ? drive.first_row : drive.row;
    waiting.sub_banks = item.read_first ? drive.first_sub_banks : drive.sub_banks;
    older_write = waiting.write;
  }
}

// Lanes that nobody drives bring poison.
void ShapedRows::read_lanes(const RegisterAccess& access, ServedAccess& served) {
  if (segments_) served.lanes = segments_->read(access);
  if (shaped_) served.lanes &= power().lanes_driven(access.mask);
  if (served.lanes == kAllLanes) return;
  for (int lane = 0; lane < kLanes; ++lane)
    if (!(served.lanes >> lane & 1)) (*access.values)[lane] = kPoison;
}

}  // namespace heddle
