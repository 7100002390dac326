#pragma once

// The accesses that wait at one bank, in order of acceptance: what the arbiter sees of them, and beside it
// what the banks need to serve them. A queue of fixed size, so that nothing is allocated while it runs.

#include <algorithm>
#include <memory>
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

/// One cache line, beside the accesses.
class alignas(64) BankQueue {
 public:
  struct Item {
    RegisterAccess* access = nullptr;  ///< of a read; that of a write has been answered
    LaneVec* data = nullptr;           ///< of a write
    LaneVec* row = nullptr;            ///< where lanes are copied (EntryFormat::rows)
    // The following fields are not set for an access to a plain row.
    StoredRegister reg{};
    LaneMask live = kAllLanes;             ///< of a write
    bool read_first = false;               ///< the old contents have still to be read
    bool partial = false, widens = false;  ///< RowDrive
    std::uint8_t note = 0;                 ///< of a write: the same
    LaneMask drives = kAllLanes;           ///< of a write: by which word line segments are driven
  };

  explicit BankQueue(std::size_t capacity)
      : room_(capacity),
        waiting_(std::make_unique<WaitingAccess[]>(capacity)),
        items_(std::make_unique<Item[]>(capacity)) {}

  /// Places that became free in the present cycle can be used from the next one on.
  bool has_room(Cycle now) const { return room_.any(now); }
  bool empty() const { return size() == 0; }
  std::size_t size() const { return room_.taken(); }
  BankQueueView view() const { return {waiting_.get(), size()}; }
  WaitingAccess& waiting(std::size_t i) { return waiting_[i]; }
  const WaitingAccess& waiting(std::size_t i) const { return waiting_[i]; }
  Item& item(std::size_t i) { return items_[i]; }
  const Item& item(std::size_t i) const { return items_[i]; }

  /// The position of a new access, whose fields the caller sets.
  std::size_t push() {
    room_.take();
    return size() - 1;
  }
  void erase(std::size_t i, Cycle now) {
    room_.give(now);
    for (const std::size_t end = size(); i < end; ++i) {
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
  CycleRoom room_;
  std::unique_ptr<WaitingAccess[]> waiting_;
  std::unique_ptr<Item[]> items_;
};

}  // namespace heddle
