#pragma once

// Models the registers of one warp in a register file above the banks. Each stored register has an entry with
// a tag, lane masks and values. Entries are kept in the order in which they were added. An entry without a
// value, and a freed entry, contain poison.
//
// Limits: this class models neither capacity nor timing. The stage that owns the entries must do both.

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
    bool filling = false;  ///< true: the value was requested from the stage below and has not arrived
    Cycle ready = 0;
    LaneVec values;
  };
  /// What sweep() does with an entry. `stays`: keeps it. `leaves`: drops it. `blocked`: keeps it and all
  /// later entries, and ends.
  enum class Fate : std::uint8_t { stays, leaves, blocked };

  /// Returns the entry of the register, or nullptr if it has none.
  Entry* find(RegId reg) {
    for (Entry& entry : entries_)
      if (entry.reg == reg) return &entry;
    return nullptr;
  }
  /// Adds an entry without a value. The register must not have an entry. Adding or dropping an entry
  /// invalidates pointers to other entries.
  Entry& add(RegId reg);
  void drop(RegId reg);
  void drop_all();
  /// Calls f(entry) for each entry, until f returns Fate::blocked. Drops the entries for which f returns
  /// Fate::leaves. Returns false if f returned Fate::blocked.
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
