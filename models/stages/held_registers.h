#pragma once

// Models the part of a register file above the banks that belongs to one warp: an entry with tag, lane masks
// and values for each register that the file holds, in the order in which the registers came. Values are
// poison in an entry without a value and in an entry that is freed.
//
// Limits: no capacity, and no time. The stage that owns the entries must respect both.

#include <cstddef>
#include <cstdint>
#include <deque>

#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/core/register_set.h"

namespace heddle {

class HeldRegisters {
 public:
  struct Entry {
    RegId reg{};
    LaneMask valid = 0, dirty = 0, live = kAllLanes;
    bool filling = false;  ///< the value has been read below and has not come yet
    Cycle ready = 0;
    LaneVec values;
  };
  /// What becomes of an entry. `blocked`: it stays, and so do all that came after it.
  enum class Fate : std::uint8_t { stays, leaves, blocked };

  /// Returns nullptr if the register is not held.
  Entry* find(RegId reg) {
    for (Entry& entry : entries_)
      if (entry.reg == reg) return &entry;
    return nullptr;
  }
  /// Adds an entry without a value for a register that is not held. Adding and dropping entries invalidates
  /// pointers to others.
  Entry& add(RegId reg);
  void drop(RegId reg);
  void drop_all();
  /// Calls f(entry), which returns a Fate, for each entry until one is blocked, and drops those that leave.
  /// Returns false if one was blocked.
  template <class F>
  bool sweep(F&& f) {
    for (std::size_t e = 0; e < entries_.size();) {
      const Fate fate = f(entries_[e]);
      if (fate == Fate::blocked) return false;
      if (fate == Fate::leaves)
        drop_at(e);
      else
        ++e;
    }
    return true;
  }

  bool empty() const { return entries_.empty(); }
  bool any_filling() const;
  RegisterSet held() const;
  RegisterSet dirty() const;

 private:
  void drop_at(std::size_t entry);

  std::deque<Entry> entries_;
};

}  // namespace heddle
