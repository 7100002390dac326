#pragma once

// The accesses that wait at one bank, in order of acceptance: what the arbiter sees of them, and beside it
// what the banks need to serve them. A queue of fixed size, so that nothing is allocated while it runs.

#include <algorithm>
#include <vector>

#include "models/core/growing_array.h"
#include "models/ports/register_access.h"
#include "models/regfile/i_bank_arbiter.h"
#include "models/regfile/i_entry_format.h"

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

class BankQueue {
 public:
  struct Item {
    RegisterAccess* access = nullptr;  ///< of a read; that of a write has been answered
    LaneVec* data = nullptr;           ///< of a write
    StoredRegister reg{};
    LaneMask live = kAllLanes;             ///< of a write
    bool read_first = false;               ///< the old contents have still to be read
    bool partial = false, widens = false;  ///< RowDrive
    LaneMask drives = kAllLanes;           ///< of a write: by which word line segments are driven
  };

  explicit BankQueue(std::size_t capacity) : capacity_(capacity), waiting_(capacity), items_(capacity) {}

  /// Places that became free in the present cycle can be used from the next one on.
  bool has_room(Cycle now) const { return count_ + (freed_in_ == now ? freed_ : 0) < capacity_; }
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  BankQueueView view() const { return {waiting_.data(), count_}; }
  WaitingAccess& waiting(std::size_t i) { return waiting_[i]; }
  const WaitingAccess& waiting(std::size_t i) const { return waiting_[i]; }
  Item& item(std::size_t i) { return items_[i]; }
  const Item& item(std::size_t i) const { return items_[i]; }

  /// The position of a new access, whose fields the caller sets.
  std::size_t push() { return count_++; }
  [[gnu::always_inline]] void erase(std::size_t i, Cycle now) {
    freed_ = freed_in_ == now ? freed_ + 1 : 1;
    freed_in_ = now;
    --count_;
    for (; i < count_; ++i) {
      waiting_[i] = waiting_[i + 1];
      items_[i] = items_[i + 1];
    }
  }
  /// Whether an access to the entry waits before position `end`; of `writes` alone if asked.
  bool waits_for(std::uint32_t entry, std::size_t end, bool writes) const {
    for (std::size_t i = 0; i < end; ++i)
      if (waiting_[i].entry == entry && (!writes || waiting_[i].write)) return true;
    return false;
  }

 private:
  std::size_t capacity_;
  std::vector<WaitingAccess> waiting_;
  std::vector<Item> items_;
  std::size_t count_ = 0;
  Cycle freed_in_ = kNever;
  std::size_t freed_ = 0;
};

}  // namespace heddle
