#pragma once

// Classes PlainRows and StateRows: the rows of the register banks in simple configurations. In these, all rows
// have normal speed, and the entry format opens whole rows and stores values unchanged. The banks copy lanes of
// these rows directly. ShapedRows (shaped_rows.h) has functions with the same names, for which the comments in
// this file also hold.

#include <algorithm>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/banks/bank_rows.h"
#include "models/isa/rows.h"

namespace heddle {

template <class Queue>
struct BankArrivalOf {
  Queue& bank;
  std::size_t at;
  typename Queue::Item& item;
  typename Queue::Waiting& waiting;
  const RegisterAccess& access;
  const RegisterPlace& place;

  StoredRegister stored() const { return {place, access.warp, access.home}; }
};
using BankArrival = BankArrivalOf<BankQueue>;

struct RowOpening {
  int sub_banks = kSubBanks;
  /// True: in this cycle the banks read the row's old contents. They write the row in a later cycle.
  bool first_read = false;
};

/// Rows that are always on.
class PlainRows : public BankRows {
 public:
  static constexpr bool kRests = true;
  /// True: the banks copy lanes between rows and accesses directly. Each access opens a whole row for one
  /// cycle, so the queue needs only the small type Item.
  static constexpr bool kCopied = true;
  using Item = CopiedItem;

  PlainRows(BankParts& parts, const RegisterStageContext& context);

  /// Called when an access arrives. Returns the first cycle, not before `from`, in which the row can serve the
  /// access.
  template <class Arrival>
  Cycle take(Cycle, const Arrival&, Cycle from) {
    return from;
  }
  void begin_cycle(Cycle) {}
  /// Marks in `view` the ports that slow rows keep busy (PlainRows has no slow rows). Called before the
  /// arbiter chooses.
  void show(ArbiterView&) {}
  void write(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    LaneVec& row = rows_[served.bank.value][waiting.entry];
    if (waiting.mask == kAllLanes)
      row = *item.data;
    else
      isa::kRows.merge(row, *item.data, waiting.mask);
  }
  /// Reads the value of the row. Returns the number of cycles until the value arrives at its collector.
  Cycle read(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    *item.access->values = rows_[served.bank.value][waiting.entry];
    return read_cycles();
  }
  /// Called when a write has left the queue, so that later accesses to the same data may be served. `order`:
  /// number that identifies the data (EntryFormat::order_of).
  template <class Queue>
  void written(Cycle, Queue&, std::uint32_t /*order*/) {}
  /// Returns true if access `i` of the queue is for the register at `place`.
  template <class Queue>
  bool is_at(const Queue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.waiting(i).entry == place.entry;
  }

 private:
  std::vector<LaneVec*> rows_;
};

/// Rows with power states, for any register power policy except "always-on".
class StateRows : public PlainRows {
 public:
  using PlainRows::PlainRows;
  using Item = StoredItem;

  template <class Arrival>
  Cycle take(Cycle now, const Arrival& came, Cycle from) {
    came.item.reg = came.stored();
    const Cycle ready = is_static() || !came.waiting.write ? uses().came(came.access, came.place) : kNever;
    if (ready == kNever) return std::max(from, row_arrived(now, came.access, came.place));
    return std::max(from, ready);
  }
  void write(Cycle now, const WaitingWord& waiting, const StoredItem& item, ServedAccess& served) {
    PlainRows::write(now, waiting, item, served);
    poison_lost(now, item.reg, true);
  }
  Cycle read(Cycle now, const WaitingWord& waiting, const StoredItem& item, ServedAccess& served) {
    poison_lost(now, item.reg, false);
    return PlainRows::read(now, waiting, item, served);
  }
};

}  // namespace heddle
