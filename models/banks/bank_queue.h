#pragma once

// Queue of the accesses that wait at one bank, in order of acceptance. The arbiter sees one part of each
// access. The banks keep the other part to serve it. The capacity is fixed, so that a run allocates no
// memory.

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

/// Storage for the values of waiting writes, until the banks have written the values to their rows. `most`:
/// largest number of waiting writes.
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

/// The banks' part of a waiting access. Each row path chooses the smallest of the three types that it can
/// use: CopiedItem, StoredItem or ShapedItem.
struct CopiedItem {
  union {
    RegisterAccess* access = nullptr;  ///< of a read; the access of a write was answered at acceptance
    LaneVec* data;                     ///< of a write
  };
};
struct StoredItem : CopiedItem {
  StoredRegister reg{};
};
struct ShapedItem : StoredItem {
  LaneVec* row = nullptr;                ///< row, for formats that store values unchanged (EntryFormat::rows)
  LaneMask live = kAllLanes;             ///< of a write: RegisterAccess::live
  bool read_first = false;               ///< a write that has still to read the old contents
  bool partial = false, widens = false;  ///< see RowDrive
  std::uint8_t note = 0;                 ///< of a write: RowDrive::note
  LaneMask drives = kAllLanes;           ///< of a write: lanes that select the word line segments
};

/// A waiting access in one piece: the arbiter's part and the banks' part.
template <class Kept>
struct WaitingItem : WaitingWord, Kept {
  /// Assigns each part separately, so that the compiler does not call memcpy for the few entries that move
  /// up.
  WaitingItem& operator=(const WaitingItem& other) {
    static_cast<WaitingWord&>(*this) = other;
    static_cast<Kept&>(*this) = other;
    return *this;
  }
};

/// Queue of one bank, in one cache line besides the accesses. `WaitingPart`: the arbiter's part of an access.
/// `ItemPart`: the banks' part, or the same type if both parts are in one piece.
template <class WaitingPart, class ItemPart>
class alignas(64) BankQueueOf {
 public:
  using Waiting = WaitingPart;
  using Item = ItemPart;

  explicit BankQueueOf(std::size_t capacity)
      : room_(capacity),
        waiting_(std::make_unique<Waiting[]>(capacity)),
        items_(std::make_unique<Item[]>(kTogether ? 0 : capacity)) {}

  /// True if the queue has room for an access. A position that was freed in this cycle can be used from the
  /// next cycle on.
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

  /// Adds an access and returns its position. The caller sets its fields.
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
  /// True if an access to the entry waits before position `end`. With `writes`, only writes count.
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

/// Queue for accesses of any shape.
using BankQueue = BankQueueOf<WaitingAccess, ShapedItem>;

}  // namespace heddle
