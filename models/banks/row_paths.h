#pragma once

// Row paths for whole rows at the banks' speed: their lanes are copied (EntryFormat::rows). The documentation
// of the functions here also holds for ShapedRows.

#include <algorithm>
#include <vector>

#include "models/banks/bank_queue.h"
#include "models/banks/bank_rows.h"

namespace heddle {

/// An access that has come: its position in its bank's queue, and what stands there of it.
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
  bool first_read = false;  ///< of the old contents: the write itself comes in the next cycle
};

/// As an assignment, by the widest vectors that the function around it is compiled for.
inline void copy_lanes(LaneVec& into, const LaneVec& from) {
  struct Wide {
    std::uint64_t __attribute__((vector_size(32), may_alias)) a, b, c, d;
  };
  static_assert(sizeof(Wide) == sizeof into.lane);
  Wide& to = reinterpret_cast<Wide&>(into);
  const Wide& values = reinterpret_cast<const Wide&>(from);
  to.a = values.a;
  to.b = values.b;
  to.c = values.c;
  to.d = values.d;
}

/// Rows that are always on.
class PlainRows : public BankRows {
 public:
  /// Banks at which nothing waits need not tick.
  static constexpr bool kRests = true;
  /// An access opens its row as it stands, in one cycle; a bank keeps no more of it than this.
  static constexpr bool kCopied = true;
  using Item = CopiedItem;

  PlainRows(BankParts& parts, const RegisterStageContext& context);

  /// An access has come: the first cycle, `from` at the earliest, in which its row can serve it.
  template <class Arrival>
  Cycle take(Cycle, const Arrival&, Cycle from) {
    return from;
  }
  /// A cycle of the banks begins.
  void begin_cycle(Cycle) {}
  /// The arbiter is about to choose: `view` learns which ports rows keep busy.
  void show(ArbiterView&) {}
  void write(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    LaneVec& row = rows_[served.bank.value][waiting.entry];
    if (waiting.mask == kAllLanes) return copy_lanes(row, *item.data);
    merge_lanes(row, *item.data, waiting.mask);
  }
  /// The cycles until the value is at its collector: read_cycles(), or more where rows differ.
  Cycle read(Cycle, const WaitingWord& waiting, const CopiedItem& item, ServedAccess& served) {
    copy_lanes(*item.access->values, rows_[served.bank.value][waiting.entry]);
    return read_cycles();
  }
  /// A write of that order has left the queue.
  template <class Queue>
  void written(Queue&, std::uint32_t /*order*/) {}
  /// True if access `i` of the queue goes to that place.
  template <class Queue>
  bool is_at(const Queue& bank, std::size_t i, const RegisterPlace& place) const {
    return bank.waiting(i).entry == place.entry;
  }

 private:
  std::vector<LaneVec*> rows_;  ///< by bank
};

/// The same with states.
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
