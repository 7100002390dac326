#pragma once

// Queue of the accesses that wait at one register bank, in order of acceptance. The arbiter receives only the
// fields that it needs to choose an access. The capacity is fixed, so that a run allocates no memory.

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

/// Storage for the values of waiting writes, from acceptance until the banks write them to their rows.
/// `most`: largest number of waiting writes.
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

/// Fields of a waiting access. Only the banks need these fields; the arbiter does not. There are three types
/// with more and more fields: CopiedItem, StoredItem and ShapedItem. The banks use the smallest type that has
/// all fields for the configured features.
struct CopiedItem {
  union {
    RegisterAccess* access = nullptr;
    LaneVec* data;
  };
};
struct StoredItem : CopiedItem {
  StoredRegister reg{};
};
struct ShapedItem : StoredItem {
  LaneVec* row = nullptr;
  LaneMask live = kAllLanes;  ///< For a write: the warp's threads that have not exited.
  /// For a write: true if the banks must read the row's old contents before they write the row.
  bool read_first = false;
  /// For a write. `partial`: some lanes of the row keep their old values. `widens`: the row must store more
  /// bytes of the register than before this write.
  bool partial = false, widens = false;
  std::uint8_t note = 0;
  /// Used only for writes, and only if the entry format gates sub-banks. `reserved`: the sub-banks that this
  /// write has reserved. The write waits until these sub-banks are on. `held_from`: first cycle in which the
  /// banks may serve the write after these sub-banks are on; 0: the write does not wait for sub-banks.
  std::uint8_t reserved = 0;
  Cycle held_from = 0;
  LaneMask drives = kAllLanes;
};

template <class Kept>
struct WaitingItem : WaitingWord, Kept {
  /// Assigns each base class separately. The compiler would turn a single assignment into a call of memcpy,
  /// which is slow for so few bytes.
  WaitingItem& operator=(const WaitingItem& other) {
    static_cast<WaitingWord&>(*this) = other;
    static_cast<Kept&>(*this) = other;
    return *this;
  }
};

/// Queue of one bank. `WaitingPart` holds the access fields that the arbiter uses. `ItemPart` holds the access
/// fields that only the banks use. If both are the same type, the queue stores each access once.
template <class WaitingPart, class ItemPart>
class alignas(64) BankQueueOf {
 public:
  using Waiting = WaitingPart;
  using Item = ItemPart;

  explicit BankQueueOf(std::size_t capacity)
      : room_(capacity),
        waiting_(std::make_unique<Waiting[]>(capacity)),
        items_(std::make_unique<Item[]>(kTogether ? 0 : capacity)) {}

  /// Returns true if the queue has space for an access. If an access is served in this cycle, its space is free
  /// from the next cycle on.
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

  /// Adds an access and returns its position in the queue. The caller must then set the fields of this
  /// access.
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
  /// Returns true if an access to `entry` waits at a position before `end`. If `writes` is true, only writes
  /// count.
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

using BankQueue = BankQueueOf<WaitingAccess, ShapedItem>;

}  // namespace heddle
