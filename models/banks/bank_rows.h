#pragma once

// Base class of the rows of the register banks. The class holds the entry format (how rows store registers) and
// the register power policy (voltage of the rows). The derived classes PlainRows, StateRows (row_paths.h) and
// ShapedRows (shaped_rows.h) redefine some functions of this class; the functions are not virtual.

#include <memory>

#include "models/banks/i_bank_arbiter.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/i_register_power.h"
#include "models/banks/row_uses.h"
#include "models/banks/sub_bank_counters.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"

namespace heddle {

struct BankParts {
  explicit BankParts(const RegisterStageContext& context);

  bool limit = false;
  std::unique_ptr<EntryFormat> format;
  std::unique_ptr<RegisterPower> power;
};

inline StoredRegister stored_at(const RegisterPlace& place, const RegisterAccess& access) {
  return {place, access.warp, access.home};
}

class BankRows {
 public:
  BankRows(BankParts& parts, const RegisterStageContext& context);

  RegisterWants wants() const;
  LifeSet subscriptions(const RegisterMapping& mapping) const;
  void kernel_begins(Cycle cycle) { power_->begins(cycle); }
  void warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping);
  /// Poisons the rows of a warp that has ended. With a dynamic register mapping, `mapping` contains only the
  /// rows that were not freed before.
  void forget_warp(Cycle now, WarpId warp, const RegisterMapping& mapping);
  void issued(Cycle) {}
  void announced(Cycle now, const RegisterAccess& prepare);
  void reads_held(Cycle now, const InFlight& item) { uses_->reads_held(now, item); }
  void completed(Cycle now, const InFlight& item) { uses_->completed(now, item); }
  void forget(Cycle now, const StoredRegister& reg);
  void taken(const RegisterAccess& access);

  bool is_static() const { return static_map_; }
  const RegisterPlace* places_of(WarpId warp) const { return map_.places_of(warp); }
  const RegisterPlace& place_of(const RegisterAccess& access) const {
    return static_map_ ? map_.place(access.warp, access.row) : access.place;
  }
  /// Returns the order number of a register's data. Accesses with the same order number are served in order
  /// of arrival (EntryFormat::order_of).
  std::uint32_t order_of(const StoredRegister& reg) const {
    return whole_rows_ ? reg.place.entry : format_->order_of(reg);
  }
  /// Read latency of rows of normal speed: cycles from the service of a read until its value arrives at the
  /// collector.
  Cycle read_cycles() const { return read_cycles_; }
  /// Cycles that the entry format (layout of registers in rows) adds to a write.
  Cycle write_cycles() const { return write_cycles_; }

  /// Copies the row's value into `into` for debugging. Takes no simulated time and counts no access.
  void peek(const StoredRegister& reg, LaneVec& into) const;
  bool flip_bit(const RegisterAccess& access, int lane, int bit);
  void probes(const ProbeScope& scope);
  void settle(Cycle cycle) { power_->settle(cycle); }
  void add_rules(const BankTotals& totals, StageBalance& balance) const;

 protected:
  EntryFormat& format() const { return *format_; }
  RegisterPower& power() const { return *power_; }
  RowUses& uses() { return *uses_; }
  bool whole_rows() const { return whole_rows_; }
  bool always_on() const { return always_on_; }
  /// Called when an access arrives at its bank. Returns the first cycle in which the row can serve the access,
  /// and wakes a sleeping row.
  Cycle row_arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place);
  /// Must be called when a row serves an access. Poisons lanes whose values were lost because the row was not
  /// on.
  void poison_lost(Cycle now, const StoredRegister& reg, bool write) {
    if (const LaneMask lost = power_->served(now, reg.place, write)) format_->poison(reg, lost);
  }

 private:
  const RegisterMap& map_;
  bool static_map_ = true;
  bool answered_above_;
  std::unique_ptr<EntryFormat> format_;
  std::unique_ptr<RegisterPower> power_;
  std::unique_ptr<RowUses> uses_;
  bool whole_rows_, always_on_;
  Cycle read_cycles_, write_cycles_;
};

}  // namespace heddle
