#pragma once

// Rows of the banks: storage of registers (entry format), states of rows (register power), and life events
// for both. A row path derives from this class and hides the functions that it implements differently. The
// banks are compiled for each row path (banks.h): PlainRows and StateRows (row_paths.h), ShapedRows
// (shaped_rows.h).

#include <memory>

#include "models/banks/i_bank_arbiter.h"
#include "models/banks/i_entry_format.h"
#include "models/banks/i_register_power.h"
#include "models/banks/row_uses.h"
#include "models/banks/sub_bank_counters.h"
#include "models/ports/register_map.h"
#include "models/ports/register_stage.h"

namespace heddle {

/// Policies for the rows of the banks, as configured.
struct BankParts {
  explicit BankParts(const RegisterStageContext& context);

  bool limit = false;  ///< BankArbiter::is_limit of the arbiter
  std::unique_ptr<EntryFormat> format;
  std::unique_ptr<RegisterPower> power;
};

/// The register of `access`, stored at `place`.
inline StoredRegister stored_at(const RegisterPlace& place, const RegisterAccess& access) {
  return {place, access.warp, access.home};
}

class BankRows {
 public:
  /// Takes over the format and the power policy of `parts`.
  BankRows(BankParts& parts, const RegisterStageContext& context);

  RegisterWants wants() const;
  /// Life events to which the banks subscribe. The banks need the events of completed reads and results only
  /// if a stage above may answer an access whose word was announced, so that the access never reaches its
  /// row.
  LifeSet subscriptions(const RegisterMapping& mapping) const;
  void kernel_begins(Cycle cycle) { power_->begins(cycle); }
  void warp_begins(Cycle now, const WarpBegins& warp, const RegisterMapping& mapping);
  /// Poisons the rows of a warp that has ended. If a stage above maps registers, `mapping` contains only the
  /// rows that the stage has not freed when the warp ends.
  void forget_warp(Cycle now, WarpId warp, const RegisterMapping& mapping);
  void issued(Cycle) {}
  void announced(Cycle now, const RegisterAccess& prepare);
  void reads_held(Cycle now, const InFlight& item) { uses_->reads_held(now, item); }
  void completed(Cycle now, const InFlight& item) { uses_->completed(now, item); }
  /// Poisons the register's row.
  void forget(Cycle now, const StoredRegister& reg);
  /// A read has moved the value out of its row.
  void taken(const RegisterAccess& access);

  /// True if the registers of all warps have fixed places.
  bool is_static() const { return static_map_; }
  const RegisterPlace* places_of(WarpId warp) const { return map_.places_of(warp); }
  const RegisterPlace& place_of(const RegisterAccess& access) const {
    return static_map_ ? map_.place(access.warp, access.row) : access.place;
  }
  /// See EntryFormat::order_of.
  std::uint32_t order_of(const StoredRegister& reg) const {
    return whole_rows_ ? reg.place.entry : format_->order_of(reg);
  }
  /// Cycles from the service of a read to its value at the collector, without delays by row states.
  Cycle read_cycles() const { return read_cycles_; }
  /// Cycles that a write takes to its row.
  Cycle write_cycles() const { return write_cycles_; }

  /// Copies the value of the row into `into`, for debugging: takes no cycle and counts no access.
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
  /// Returns the cycle from which the row can serve the access. A sleeping row without an announcement begins
  /// to wake when its access arrives.
  Cycle row_arrived(Cycle now, const RegisterAccess& access, const RegisterPlace& place);
  /// Called when an access is served: poisons the lanes that the row has lost by now.
  void poison_lost(Cycle now, const StoredRegister& reg, bool write) {
    if (const LaneMask lost = power_->served(now, reg.place, write)) format_->poison(reg, lost);
  }

 private:
  const RegisterMap& map_;
  bool static_map_ = true;
  bool answered_above_;  ///< a stage above may answer an access whose word was announced
  std::unique_ptr<EntryFormat> format_;
  std::unique_ptr<RegisterPower> power_;
  std::unique_ptr<RowUses> uses_;  ///< uses of rows that are not always on
  bool whole_rows_, always_on_;
  Cycle read_cycles_, write_cycles_;
};

}  // namespace heddle
