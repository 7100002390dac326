#include "models/banks/bank_rows.h"

#include <algorithm>

#include "models/core/registry.h"

namespace heddle {

BankParts::BankParts(const RegisterStageContext& context) {
  const BankParameters& parameters = context.parameters->banks;
  EntryFormat::Context rows{parameters.depths(), context.stats.scope("format"), context.services.power,
                            &parameters.format};
  format = Registry<EntryFormat>::instance().make(parameters.format, rows);
  RegisterPower::Context states{parameters.depths(), context.stats};
  power = Registry<RegisterPower>::instance().make(parameters.power, states);
}

BankRows::BankRows(BankParts& parts, const RegisterStageContext& context)
    : map_(*context.map),
      answered_above_(context.parameters->stages.size() > 1),
      format_(std::move(parts.format)),
      power_(std::move(parts.power)),
      whole_rows_(format_->opens_whole_rows()),
      always_on_(power_->always_on()),
      read_cycles_(static_cast<Cycle>(context.parameters->banks.latency_cycles + format_->read_cycles())),
      write_cycles_(static_cast<Cycle>(format_->write_cycles())) {
  if (!always_on_)
    uses_ = std::make_unique<RowUses>(*power_, context.parameters->collectors.total(), context.max_warps);
}

RegisterWants BankRows::wants() const { return always_on_ ? 0 : wants::prepares; }

LifeSet BankRows::subscriptions(const RegisterMapping& mapping) const {
  const LifeSet always{Life::kernel_begins, Life::warp_begins,
                       &mapping == &map_ ? Life::warp_ends : Life::warp_gone};
  return !always_on_ && answered_above_ ? always | LifeSet{Life::reads_held, Life::completed} : always;
}

void BankRows::warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping) {
  static_map_ = &mapping == &map_;
  format_->warp_begins(warp, static_map_ ? &map_ : nullptr);
  if (!static_map_) return;
  for (std::uint32_t r = 0; r < warp.registers; ++r) {
    const RegisterPlace place = map_.place_of(warp.warp, RegId(r));
    format_->poison({place, warp.warp, RegId(r)}, kAllLanes);
    if (!always_on_) power_->allocated(now, place);
  }
}

void BankRows::forget_warp(Cycle now, WarpId warp, const RegisterMapping& mapping) {
  const std::uint32_t rows = static_map_ ? map_.registers_of(warp) : 256;
  for (std::uint32_t r = 0; r < rows; ++r)
    if (const RegisterPlace place = mapping.place_of(warp, RegId(r)); place.set)
      forget(now, {place, warp, RegId(r)});
}

void BankRows::announced(Cycle now, const RegisterAccess& prepare) {
  if (always_on_) return;
  if (static_map_)
    return uses_->announce(
        now, prepare,
        [places = map_.places_of(prepare.warp)](const RegisterWord& word) -> const RegisterPlace& {
          return places[word.row.value];
        });
  for (const RegisterWord& word : prepare.prepare->destination_words())
    if (word.place.set) power_->allocated(now, word.place);
  uses_->announce(now, prepare, [](const RegisterWord& word) -> const RegisterPlace& { return word.place; });
}

Cycle BankRows::row_arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place) {
  if (!static_map_ && access.command == RegisterCommand::write && place.set) power_->allocated(now, place);
  return uses_->arrived(now, access, place);
}

void BankRows::forget(Cycle now, const StoredRegister& reg) {
  format_->poison(reg, kAllLanes);
  if (!always_on_) power_->freed(now, reg.place);
}

void BankRows::taken(const RegisterAccess& access) {
  format_->poison(stored_at(place_of(access), access), kAllLanes);
}

void BankRows::peek(const StoredRegister& reg, LaneVec& into) const {
  format_->read(reg, whole_rows_ ? kAllSubBanks : format_->read_drive(reg).sub_banks, into);
}

bool BankRows::flip_bit(const RegisterAccess& access, int lane, int bit) {
  const StoredRegister reg = stored_at(place_of(access), access);
  return reg.place.set && format_->flip_bit(reg, lane, bit);
}

void BankRows::probes(const ProbeScope& scope) {
  format_->probes(scope.part("format"));
  power_->probes(scope.part("power"));
}

void BankRows::add_rules(const BankTotals&, StageBalance& balance) const {
  for (const RegisterPower::Rule& rule : power_->rules())
    balance.rules.push_back({rule.what, rule.left, rule.right});
  for (const EntryFormat::Rule& rule : format_->rules())
    balance.rules.push_back({rule.what, rule.left, rule.right});
}

}  // namespace heddle
