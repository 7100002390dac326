#pragma once

// PlainRows and StateRows: row paths (code of the banks for one group of row features) for formats that open
// whole rows and store values unchanged, at the banks' normal speed. Lanes are copied directly
// (EntryFormat::rows). The comments on the functions here also hold for ShapedRows.

#include <algorithm>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/banks/bank_rows.h"
#include "models/isa/rows.h"

namespace heddle {

/// An access that a bank has just accepted, with its position in the bank's queue.
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

/// Number of sub-banks that an access opens in one cycle.
struct RowOpening {
  int sub_banks = kSubBanks;
  /// true: this cycle reads the row's old contents, and the write itself follows in the next cycle
  bool first_read = false;
};

/// Row path for rows that are always on.
class PlainRows : public BankRows {
 public:
  /// true: the banks sleep while no access waits
  static constexpr bool kRests = true;
  /// true: each access opens a whole row in one cycle, so that the queue needs only the small type Item
  static constexpr bool kCopied = true;
  using Item = CopiedItem;

  PlainRows(BankParts& parts, const RegisterStageContext& context);

  /// Called when an access has arrived. Returns the first cycle, not before `from`, in which the row can
  /// serve it.
  template <class Arrival>
  Cycle take(Cycle, const Arrival&, Cycle from) {
    return from;
  }
  /// Called at the begin of every cycle of the banks.
  void begin_cycle(Cycle) {}
  /// Called before the arbiter chooses. Marks in `view` the ports that are busy because of slow rows.
  void show(ArbiterView&) {}
  void write(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    LaneVec& row = rows_[served.bank.value][waiting.entry];
    if (waiting.mask == kAllLanes)
      row = *item.data;
    else
      isa::kRows.merge(row, *item.data, waiting.mask);
  }
  /// Reads the value of the row. Returns the number of cycles until the value arrives at its collector:
  /// read_cycles(), or more for a slow row.
  Cycle read(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    *item.access->values = rows_[served.bank.value][waiting.entry];
    return read_cycles();
  }
  /// Called when a write has left the queue. `order`: order number of its register (EntryFormat::order_of).
  template <class Queue>
  void written(Queue&, std::uint32_t /*order*/) {}
  /// Returns true if access `i` of the queue is for the register at `place`.
  template <class Queue>
  bool is_at(const Queue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.waiting(i).entry == place.entry;
  }

 private:
  std::vector<LaneVec*> rows_;  ///< rows of each bank
};

/// Row path for rows with power states (a register power policy other than "always-on").
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
