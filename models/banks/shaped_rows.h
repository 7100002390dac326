#pragma once

// ShapedRows: the row path that supports all parameters. It serves formats that open single sub-banks or
// convert values, lane segments, and rows whose accesses are slower than the banks' latency.

#include <algorithm>
#include <optional>

#include "models/banks/busy_ports.h"
#include "models/banks/lane_segments.h"
#include "models/banks/row_paths.h"
#include "models/banks/row_speeds.h"

namespace heddle {

class ShapedRows : public BankRows {
 public:
  /// false: the banks run in every cycle, because the speed of rows may change in every cycle
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
    if (speeds_ && speeds_->mode().probed()) speeds_->mode().begin_cycle(now);
  }
  void show(ArbiterView& view) {
    format().now = view.now;
    ports_.show(view);
  }
  RowOpening open(Cycle now, ServedAccess& served, WaitingAccess& waiting, BankQueue::Item& item);
  void write(Cycle now, const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served);
  Cycle read(Cycle now, const WaitingAccess&, const BankQueue::Item& item, ServedAccess& served);
  void written(BankQueue& bank, std::uint32_t order) {
    if (!whole_rows()) drive_held_back(bank, order);
  }
  bool is_at(const BankQueue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.item(i).reg.place == place;
  }

 private:
  Cycle take_shaped(Cycle now, const BankArrival& came, Cycle from);
  /// Sets the row and the sub-banks that an access opens. No older write with the same order number may wait.
  void drive(WaitingAccess& waiting, BankQueue::Item& item);
  /// A write with this order number has left the queue. Calls drive() for the accesses that waited for the
  /// write, up to and including the next waiting write.
  void drive_held_back(BankQueue& bank, std::uint32_t order);
  /// Occupies the port of a served access. Returns the cycles that the row adds to the access.
  Cycle take_port(Cycle now, const RegisterPlace& place, bool write) {
    if (shaped_) return take_port_by_state(now, place, write);
    return speeds_ ? take_port_for(now, place, write, speeds_->serve(now, place, write)) : 0;
  }
  Cycle take_port_for(Cycle now, const RegisterPlace& place, bool write, const RowTiming& timing) {
    ports_.take(now, place.bank, write, timing.busy_cycles);
    return timing.added_cycles;
  }
  /// Does the same as take_port(), but uses the longer delay of two sources: the row's power state and its
  /// partition (fast or slow).
  Cycle take_port_by_state(Cycle now, const RegisterPlace& place, bool write);
  /// Apply row power states and lane segments to a served write or read.
  void shape_write(Cycle now, const BankQueue::Item& item, ServedAccess& served);
  void shape_read(const RegisterAccess& access, ServedAccess& served);

  bool shaped_;  ///< true: the register power policy changes timing or driven lanes
  bool gated_;   ///< true: rows have power states, or lanes have segments
  bool plain_;   ///< true: rows have no power states and no lane segments, and values are stored unchanged
  std::optional<LaneSegments> segments_;  ///< lane gating; not set if every access drives all lanes
  std::optional<RowSpeeds> speeds_;       ///< fast and slow rows; not set if all rows have the same speed
  /// counters of sub-banks; not set if the format opens whole rows
  std::optional<SubBankCounters> sub_banks_;
  /// rows of each bank, for formats that store values unchanged; otherwise empty
  std::vector<LaneVec*> rows_;
  BusyPorts ports_;
};

// If a write first reads the row's old contents, a second access of the write opens the sub-banks to be
// written.
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
    format().write(item.reg, *item.data, waiting.mask, item.live, item.note);
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
  return read_cycles() + take_port(now, item.reg.place, false);
}

}  // namespace heddle
