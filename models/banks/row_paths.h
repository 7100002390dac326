#pragma once

// The row paths of whole rows at the banks' speed: their lanes are copied (EntryFormat::rows). What a row path answers
// of an access stands here, once; that of ShapedRows is the same.

#include <algorithm>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/banks/bank_rows.h"

namespace heddle {

/// An access that has come: its position in its bank's queue, and what stands there of it.
struct BankArrival {
  BankQueue& bank;
  std::size_t at;
  BankQueue::Item& item;
  WaitingAccess& waiting;
  const RegisterAccess& access;
  const RegisterPlace& place;

  StoredRegister stored() const { return {place, access.warp, access.home}; }
};

/// What an access opens in a cycle.
struct RowOpening {
  int sub_banks = kSubBanks;
  bool first_read = false;  ///< of the old contents: the write itself comes in the next cycle
};

/// Rows that are always on.
class PlainRows : public BankRows {
 public:
  /// Banks at which nothing waits need not tick.
  static constexpr bool kRests = true;

  PlainRows(BankParts& parts, const RegisterStageContext& context);

  /// An access has come: the first cycle, `from` at the earliest, in which its row can serve it.
  Cycle came(Cycle, const BankArrival& came, Cycle from) {
    came.item.row = rows_[came.place.bank.value] + came.place.entry;
    return from;
  }
  /// A cycle of the banks begins.
  void begin_cycle(Cycle) {}
  /// The arbiter is about to choose: `view` learns which ports rows keep busy.
  void show(ArbiterView&) {}
  /// What follows is told of an access that is served now; write() or read() unless it was a first read.
  RowOpening open(Cycle, ServedAccess&, WaitingAccess&, BankQueue::Item&) { return {}; }
  void write(Cycle, const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess&) {
    merge_lanes(*item.row, *item.data, waiting.mask);
  }
  /// The cycles until the value is at its collector.
  Cycle read(Cycle, const BankQueue::Item& item, ServedAccess&) {
    *item.access->values = *item.row;
    return read_cycles();
  }
  /// A write of that order has left the queue.
  void written(BankQueue&, std::uint32_t /*order*/) {}
  /// Whether access `i` of the queue goes to that place.
  bool is_at(const BankQueue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.waiting(i).entry == place.entry;
  }

 private:
  std::vector<LaneVec*> rows_;  ///< by bank
};

/// The same with states.
class StateRows : public PlainRows {
 public:
  using PlainRows::PlainRows;

  Cycle came(Cycle now, const BankArrival& came, Cycle from) {
    PlainRows::came(now, came, from);
    came.item.reg = came.stored();
    const Cycle ready = is_static() || !came.waiting.write ? uses().came(came.access, came.place) : kNever;
    if (ready == kNever) return std::max(from, row_arrived(now, came.access, came.place));
    return std::max(from, ready);
  }
  void write(Cycle now, const WaitingAccess& waiting, const BankQueue::Item& item, ServedAccess& served) {
    PlainRows::write(now, waiting, item, served);
    poison_lost(now, item.reg, true);
  }
  Cycle read(Cycle now, const BankQueue::Item& item, ServedAccess& served) {
    poison_lost(now, item.reg, false);
    return PlainRows::read(now, item, served);
  }
};

}  // namespace heddle
