#pragma once

// Class ShapedRows: the rows of the register banks in every configuration that the simpler classes of
// row_paths.h do not support. Entry formats may open single sub-banks or convert values, and an access to a
// row may take longer than the banks' latency.

#include <algorithm>
#include <optional>

#include "models/banks/busy_ports.h"
#include "models/banks/lane_segments.h"
#include "models/banks/row_paths.h"
#include "models/banks/row_speeds.h"
#include "models/banks/sub_bank_power.h"

namespace heddle {

class ShapedRows : public BankRows {
 public:
  /// False: the banks run in every cycle, because the speed of rows may change in every cycle.
  static constexpr bool kRests = false;
  static constexpr bool kCopied = false;
  using Item = BankQueue::Item;

  ShapedRows(BankParts& parts, const RegisterStageContext& context);

  RegisterWants wants() const;
  LifeSet subscriptions(const RegisterMapping& mapping) const;
  void kernel_begins(Cycle cycle);
  void warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping);
  void issued(Cycle now) { speeds_->mode().issued(now); }
  void announced(Cycle now, const RegisterAccess& prepare);
  void probes(const ProbeScope& scope);
  void settle(Cycle cycle);
  void add_rules(const BankTotals& totals, StageBalance& balance) const;

  Cycle take(Cycle now, const BankArrival& came, Cycle from) {
    came.item.reg = came.stored();
    if (!plain_) return take_shaped(now, came, from);
    came.item.row = rows_[came.place.bank.value] + came.place.entry;
    return from;
  }
  void begin_cycle(Cycle now) {
    if (sub_bank_power_) sub_bank_power_->begin_cycle(now);
    if (speeds_ && speeds_->mode().probed()) speeds_->mode().begin_cycle(now);
  }
  void show(ArbiterView& view) {
    format().now = view.now;
    ports_.show(view);
  }
  /// Returns the banks at which a write waits for sub-banks that are not on yet. let_go() must be called for
  /// these banks in every cycle.
  std::uint64_t held_banks() const { return held_banks_; }
  /// Returns true if a row or a write stopped needing a sub-bank. The banks must then tick in the next cycle.
  bool sub_banks_leave() const { return sub_bank_power_ && sub_bank_power_->leaves(); }
  /// Ends the wait of the bank's writes whose sub-banks are on. The arbiter may serve these writes from now
  /// on.
  void let_go(Cycle now, BankId id, BankQueue& bank);
  RowOpening open(Cycle now, ServedAccess& served, WaitingAccess& waiting, BankQueue::Item& item);
  void write(Cycle now, const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served);
  Cycle read(Cycle now, const WaitingAccess&, const BankQueue::Item& item, ServedAccess& served);
  void written(Cycle now, BankQueue& bank, std::uint32_t order) {
    if (!whole_rows()) drive_held_back(now, bank, order);
  }
  bool is_at(const BankQueue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.item(i).reg.place == place;
  }

 private:
  Cycle take_shaped(Cycle now, const BankArrival& came, Cycle from);
  void drive(Cycle now, WaitingAccess& waiting, BankQueue::Item& item);
  /// Reserves the sub-banks that a waiting write will open. Called as soon as these sub-banks are known.
  void reserve(Cycle now, BankQueue::Item& item, std::uint8_t sub_banks);
  /// Called when a write has left the queue. This write may change the sub-banks that later accesses to the
  /// same data open. Therefore this function computes the sub-banks of these accesses, up to and including
  /// the next waiting write. `order`: order number of the data (EntryFormat::order_of).
  void drive_held_back(Cycle now, BankQueue& bank, std::uint32_t order);
  /// Occupies the port of a served access. Returns the cycles that the row adds to the access.
  Cycle take_port(Cycle now, const RegisterPlace& place, bool write) {
    if (shaped_) return take_port_by_state(now, place, write);
    return speeds_ ? take_port_for(now, place, write, speeds_->serve(now, place, write)) : 0;
  }
  Cycle take_port_for(Cycle now, const RegisterPlace& place, bool write, const RowTiming& timing) {
    ports_.take(now, place.bank, write, timing.busy_cycles);
    return timing.added_cycles;
  }
  /// Occupies the port of a served access, and returns the cycles that the row adds, for rows with power
  /// states. Two delays can apply: one depends on the row's power state, the other on the row's partition
  /// (fast or slow). The longer delay applies.
  Cycle take_port_by_state(Cycle now, const RegisterPlace& place, bool write);
  void shape_write(Cycle now, const BankQueue::Item& item, ServedAccess& served);
  void shape_read(const RegisterAccess& access, ServedAccess& served);

  bool shaped_;
  bool gated_;
  bool plain_;
  SubBankPower* sub_bank_power_;
  std::uint64_t held_banks_ = 0;
  std::optional<LaneSegments> segments_;
  std::optional<RowSpeeds> speeds_;
  std::optional<SubBankCounters> sub_banks_;
  std::vector<LaneVec*> rows_;
  BusyPorts ports_;
};

// Opens the row for a served access, and returns how many sub-banks it opens. If a write needs the row's old
// contents, its first access reads these contents, and a second access opens the sub-banks of the write.
inline RowOpening ShapedRows::open(Cycle now, ServedAccess& served, WaitingAccess& waiting,
                                   BankQueue::Item& item) {
  if (whole_rows()) return {};
  const RowOpening opening{sub_banks_->served(now, served, waiting, item), item.read_first};
  if (item.read_first) {
    item.read_first = false;
    const RowDrive drive = format().write_drive(item.reg, *item.data, waiting.mask, item.live);
    waiting.sub_banks = drive.sub_banks;
    waiting.row = drive.row;
    item.note = drive.note;
  }
  return opening;
}

inline void ShapedRows::write(Cycle now, const WaitingAccess& waiting, const BankQueue::Item& item,
                              ServedAccess& served) {
  if (item.row) {
    merge_lanes(*item.row, *item.data, waiting.mask);
  } else {
    format().now = now;
    format().write(item.reg, *item.data, waiting.mask, item.live, item.note);
    if (item.reserved) sub_bank_power_->remove(item.reg.place.bank, item.reserved);
    if (waiting.sub_banks & ~served.sub_banks) format().poison(item.reg, kAllLanes);
  }
  if (gated_) shape_write(now, item, served);
  take_port(now, item.reg.place, true);
}

inline Cycle ShapedRows::read(Cycle now, const WaitingAccess&, const BankQueue::Item& item,
                              ServedAccess& served) {
  if (!always_on()) poison_lost(now, item.reg, false);
  if (item.row)
    *item.access->values = *item.row;
  else
    format().read(item.reg, served.sub_banks, *item.access->values);
  if (gated_) shape_read(*item.access, served);
  const Cycle row = whole_rows() ? 0 : static_cast<Cycle>(format().more_read_cycles(item.reg));
  return read_cycles() + row + take_port(now, item.reg.place, false);
}

}  // namespace heddle
