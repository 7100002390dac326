#pragma once

// The accesses that wait at one bank, in order of acceptance: what the arbiter sees of them, and beside it
// what the banks need to serve them. A queue of fixed size, so that nothing is allocated while it runs.

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/banks/i_bank_arbiter.h"
#include "models/banks/i_entry_format.h"
#include "models/core/cycle_room.h"
#include "models/core/growing_array.h"
#include "models/ports/register_access.h"

namespace heddle {

/// Values of writes until they are in their rows: as many as can wait.
class WriteData {
 public:
  explicit WriteData(std::size_t most) : all_(most) {
    for (LaneVec& values : all_) unused_.push_back(&values);
  }
  LaneVec* keep(const LaneVec& values) {
    LaneVec* const data = unused_.pop_back();
    *data = values;
    return data;
  }
  void give_back(LaneVec* data) { unused_.push_back(data); }

 private:
  std::vector<LaneVec> all_;
  GrowingArray<LaneVec*> unused_;
};

/// State of an access in the banks.
struct CopiedItem {
  union {
    RegisterAccess* access = nullptr;  ///< of a read; that of a write has been answered
    LaneVec* data;                     ///< of a write
  };
};
struct StoredItem : CopiedItem {
  StoredRegister reg{};
};
struct ShapedItem : StoredItem {
  LaneVec* row = nullptr;                ///< of a format that keeps values as they come (EntryFormat::rows)
  LaneMask live = kAllLanes;             ///< of a write
  bool read_first = false;               ///< the old contents have still to be read
  bool partial = false, widens = false;  ///< RowDrive
  std::uint8_t note = 0;                 ///< of a write: the same
  LaneMask drives = kAllLanes;           ///< of a write: by which word line segments are driven
};

/// Both together.
template <class Kept>
struct WaitingItem : WaitingWord, Kept {
  /// One part after the other: a queue moves up by few, for which a call to copy them all would cost more.
  WaitingItem& operator=(const WaitingItem& other) {
    static_cast<WaitingWord&>(*this) = other;
    static_cast<Kept&>(*this) = other;
    return *this;
  }
};

/// One cache line, beside the accesses. `WaitingPart`: what the arbiter sees of one; `ItemPart`: what the banks keep, the
/// same if they are together.
template <class WaitingPart, class ItemPart>
class alignas(64) BankQueueOf {
 public:
  using Waiting = WaitingPart;
  using Item = ItemPart;

  explicit BankQueueOf(std::size_t capacity)
      : room_(capacity),
        waiting_(std::make_unique<Waiting[]>(capacity)),
        items_(std::make_unique<Item[]>(kTogether ? 0 : capacity)) {}

  /// Places that became free in the present cycle can be used from the next one on.
  bool has_room(Cycle now) const { return room_.any(now); }
  bool empty() const { return size() == 0; }
  std::size_t size() const { return room_.taken(); }
  std::span<const Waiting> view() const { return {waiting_.get(), size()}; }
  Waiting& waiting(std::size_t i) { return waiting_[i]; }
  const Waiting& waiting(std::size_t i) const { return waiting_[i]; }
  Item& item(std::size_t i) { return const_cast<Item&>(std::as_const(*this).item(i)); }
  const Item& item(std::size_t i) const {
    if constexpr (kTogether)
      return waiting_[i];
    else
      return items_[i];
  }

  /// The position of a new access, whose fields the caller sets.
  std::size_t push() {
    room_.take();
    return size() - 1;
  }
  void erase(std::size_t i, Cycle now) {
    room_.give(now);
    Waiting* const waiting = waiting_.get();
    Item* const items = items_.get();
    for (const std::size_t end = size(); i < end; ++i) {
      waiting[i] = waiting[i + 1];
      if constexpr (!kTogether) items[i] = items[i + 1];
    }
  }
  /// True if an access to the entry waits before position `end`; `writes`: considers writes only.
  bool waits_for(std::uint32_t entry, std::size_t end, bool writes) const {
    for (std::size_t i = 0; i < end; ++i)
      if (waiting_[i].entry == entry && (!writes || waiting_[i].write)) return true;
    return false;
  }

 private:
  static constexpr bool kTogether = std::is_same_v<Waiting, Item>;

  CycleRoom room_;
  std::unique_ptr<Waiting[]> waiting_;
  std::unique_ptr<Item[]> items_;
};

/// That of accesses of any shape.
using BankQueue = BankQueueOf<WaitingAccess, ShapedItem>;

}  // namespace heddle
