#pragma once

// The row path of everything that the parameters can ask for: formats that open sub-banks or keep values otherwise
// than they come, lane segments, rows whose accesses take longer than the banks'.

#include <algorithm>
#include <optional>

#include "models/banks/busy_ports.h"
#include "models/banks/lane_segments.h"
#include "models/banks/row_paths.h"
#include "models/banks/row_speeds.h"
#include "models/core/cycle_set.h"

namespace heddle {

class ShapedRows : public BankRows {
 public:
  /// Speeds of rows are decided in every cycle.
  static constexpr bool kRests = false;
  static constexpr bool kCopied = false;
  using Item = BankQueue::Item;

  ShapedRows(BankParts& parts, const RegisterStageContext& context);

  RegisterWants wants() const;
  LifeSet hears(const RegisterMapping& mapping) const;
  void kernel_begins(Cycle cycle);
  void warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping);
  void issued(Cycle now) { speeds_->mode().issued(now); }
  void announced(Cycle now, const RegisterAccess& prepare);
  void probes(const ProbeScope& scope);
  void settle(Cycle cycle);
  void add_rules(const SubBankCounters::Totals& totals, StageBalance& balance) const;

  Cycle came(Cycle now, const BankArrival& came, Cycle from);
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
    if (!whole_rows()) drive(bank, order, 0);
  }
  bool is_at(const BankQueue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.item(i).reg.place == place;
  }

 private:
  /// Sets what the accesses of that order open, from position `first` on, as far as no older write of it waits.
  void drive(BankQueue& bank, std::uint32_t order, std::size_t first);
  /// The access takes its port: the cycles that its row adds.
  Cycle take_port(Cycle now, const RegisterPlace& place, bool write);
  void read_lanes(const RegisterAccess& access, ServedAccess& served);
  /// The sub-banks that the access opens: by one port each has one row open in a cycle, that of who came first.
  std::uint8_t opened(Cycle now, const ServedAccess& served, const WaitingAccess& waiting);

  bool shaped_;                               ///< by the register power
  std::optional<LaneSegments> segments_;      ///< of lane gating
  std::optional<RowSpeeds> speeds_;           ///< of a partition
  std::optional<SubBankCounters> sub_banks_;  ///< of a format that does not open whole rows
  bool separate_ports_, limit_;
  std::vector<InCycle<std::uint8_t>> open_;  ///< sub-banks, by bank and port
  BusyPorts ports_;
};

inline Cycle ShapedRows::came(Cycle now, const BankArrival& came, Cycle from) {
  BankQueue::Item& item = came.item;
  format().now = now;
  item.reg = came.stored();
  item.live = came.access.live;
  item.read_first = false;
  if (segments_ && came.waiting.write) item.drives = segments_->mask_of(came.access);
  if (!always_on()) from = std::max(from, row_arrived(now, came.access, came.place));
  if (!whole_rows()) {
    came.waiting.entry = format().order_of(item.reg);
    drive(came.bank, came.waiting.entry, came.at);
  }
  return from;
}

// When the old contents have been read, the write opens what it writes.
inline RowOpening ShapedRows::open(Cycle now, ServedAccess& served, WaitingAccess& waiting,
                                   BankQueue::Item& item) {
  if (whole_rows()) return {};
  served.sub_banks = opened(now, served, waiting);
  const RowOpening opening{sub_banks_->served(now, served, waiting, item), item.read_first};
  if (item.read_first) {
    item.read_first = false;
    const RowDrive drive = format().write_drive(item.reg, *item.data, waiting.mask, item.live);
    waiting.sub_banks = drive.sub_banks;
    waiting.row = drive.row;
  }
  return opening;
}

inline void ShapedRows::write(Cycle now, const WaitingAccess& waiting, const BankQueue::Item& item,
                              ServedAccess& served) {
  format().write(item.reg, *item.data, waiting.mask, item.live);
  if (waiting.sub_banks & ~served.sub_banks) format().poison(item.reg, kAllLanes);
  if (segments_) served.lanes = segments_->written(item.drives);
  if (!always_on()) poison_lost(now, item.reg, true);
  take_port(now, item.reg.place, true);
}

inline Cycle ShapedRows::read(Cycle now, const WaitingAccess&, const BankQueue::Item& item,
                              ServedAccess& served) {
  if (!always_on()) poison_lost(now, item.reg, false);
  format().read(item.reg, served.sub_banks, *item.access->values);
  if (segments_ || shaped_) read_lanes(*item.access, served);
  return read_cycles() + take_port(now, item.reg.place, false);
}

inline std::uint8_t ShapedRows::opened(Cycle now, const ServedAccess& served, const WaitingAccess& waiting) {
  std::uint8_t& open = open_[2 * served.bank.value + (separate_ports_ && waiting.write)].in(now);
  const auto free = static_cast<std::uint8_t>(limit_ ? waiting.sub_banks : waiting.sub_banks & ~open);
  open |= waiting.sub_banks;
  return free;
}

// The slower of what the states of the rows and their partition say.
inline Cycle ShapedRows::take_port(Cycle now, const RegisterPlace& place, bool write) {
  if (!shaped_ && !speeds_) return 0;
  RowTiming timing;
  if (shaped_) timing = power().timing(now, place, write);
  if (speeds_) {
    const RowTiming row = speeds_->serve(now, place, write);
    timing = {std::max(timing.added_cycles, row.added_cycles), std::max(timing.busy_cycles, row.busy_cycles)};
  }
  ports_.take(now, place.bank, write, timing.busy_cycles);
  return timing.added_cycles;
}

}  // namespace heddle
