#pragma once

// Row paths for whole rows at the banks' speed, whose lanes are copied directly (EntryFormat::rows). The
// comments on the functions here also hold for ShapedRows.

#include <algorithm>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/banks/bank_rows.h"
#include "models/isa/rows.h"

namespace heddle {

/// An access that has arrived at a bank, and its position in the bank's queue.
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

/// Sub-banks that an access opens in a cycle.
struct RowOpening {
  int sub_banks = kSubBanks;
  bool first_read = false;  ///< a read of the old contents; the write follows in the next cycle
};

/// Rows that are always on.
class PlainRows : public BankRows {
 public:
  /// the banks sleep while no access waits
  static constexpr bool kRests = true;
  /// an access opens its whole row in one cycle, and Item is all that the queue keeps of it
  static constexpr bool kCopied = true;
  using Item = CopiedItem;

  PlainRows(BankParts& parts, const RegisterStageContext& context);

  /// An access has arrived. Returns the first cycle, not before `from`, in which its row can serve it.
  template <class Arrival>
  Cycle take(Cycle, const Arrival&, Cycle from) {
    return from;
  }
  /// A cycle of the banks begins.
  void begin_cycle(Cycle) {}
  /// Called before the arbiter chooses: sets the ports in `view` that rows keep busy.
  void show(ArbiterView&) {}
  void write(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    LaneVec& row = rows_[served.bank.value][waiting.entry];
    if (waiting.mask == kAllLanes)
      row = *item.data;
    else
      isa::kRows.merge(row, *item.data, waiting.mask);
  }
  /// Reads the value. Returns the cycles until the value is at its collector: read_cycles(), or more for slow
  /// rows.
  Cycle read(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    *item.access->values = rows_[served.bank.value][waiting.entry];
    return read_cycles();
  }
  /// Called when a write whose register has this number (EntryFormat::order_of) has left the queue.
  template <class Queue>
  void written(Queue&, std::uint32_t /*order*/) {}
  /// True if access `i` of the queue goes to this place.
  template <class Queue>
  bool is_at(const Queue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.waiting(i).entry == place.entry;
  }

 private:
  std::vector<LaneVec*> rows_;  ///< by bank
};

/// Row path for rows with states.
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
