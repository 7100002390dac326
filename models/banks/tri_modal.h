#pragma once

// Models the register power policy "tri-modal" (TRIC, Abdel-Majeed 2016, 5.3): every row is off, drowsy or
// on. A row is off while no register is stored in it. A row with a register is drowsy by default and keeps
// its value. The row is on only around accesses. The policy neither predicts nor scans. Each row counts the
// uses that were announced or have arrived. The row wakes with the first use, and becomes drowsy after its
// last use was served. A read holds its row awake until the read is served. A write holds its row awake from
// the announcement on, even through a whole memory latency (read-aggressive, write-conservative).
//
// Events that begin a use take effect in the same cycle. Events that end a use take effect after the cycle.
// The result is therefore independent of the order of events within a cycle.

#include <string>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/banks/row_state_times.h"
#include "models/banks/row_watch.h"
#include "models/core/fields.h"

namespace heddle {

struct TriModalParameters {
  int wake_up_cycles = 3;
  int look_ahead_cycles = 0;
  std::string outputs = "from-collector";
  std::string unallocated = "off";
  void fields(FieldVisitor& v);
};

class TriModal : public RegisterPower {
 public:
  TriModal(const TriModalParameters& parameters, Context& context);

  bool shapes_accesses() const override { return false; }
  void allocated(Cycle now, const RegisterPlace& place) override;
  void freed(Cycle now, const RegisterPlace& place) override;
  Cycle announced(Cycle now, const RegisterPlace& place, bool write) override;
  void dropped(Cycle now, const RegisterPlace& place, bool write) override;
  Cycle arrives(Cycle now, const RegisterPlace& place, bool write) override;
  LaneMask served(Cycle now, const RegisterPlace& place, bool write) override;
  void settle(Cycle cycle) override;
  void begins(Cycle cycle) override;
  std::vector<Rule> rules() const override;
  void probes(const ProbeScope& scope) override;

 private:
  using RowId = std::uint32_t;  ///< number of a row, unique over all banks
  struct Row {
    std::uint32_t uses = 0;
    bool allocated = false, awake = false;
    bool ends = false;     ///< true: the row is listed in ending_
    bool touched = false;  ///< true: the row has served an access since it woke
    /// First cycle in which the row has full voltage. `awake` is set when the wake-up begins, some cycles
    /// earlier.
    Cycle on_from = 0;
    Cycle drowsy_since = 0;
  };
  RowId number(const RegisterPlace& place) const { return first_[place.bank.value] + place.entry; }
  bool may_wake(const Row& r) const { return r.allocated || !free_off_; }
  /// Returns true if the slow path must record an event: the first event of a cycle, or any event while an
  /// observer is attached.
  bool is_noted(Cycle now) const { return now != present_ || watch_.any(); }
  void note(Cycle now, RowId number, std::uint32_t TricView::*events);
  Cycle use_noted(Cycle now, RowId number, bool early);
  LaneMask serve_noted(Cycle now, RowId number);
  inline Cycle use(Cycle now, RowId number, bool early);
  inline LaneMask serve(Cycle now, RowId number);
  inline void unuse(RowId number);
  Cycle wake(Cycle now, Row& r, Cycle ahead);
  void note_wake_ups();
  inline void end(RowId number);
  template <class Change>
  void see(Cycle now, RowId number, Change&& change) {
    if (!watch_.any()) return;
    watch_.note(
        now, number, [this](std::size_t row, Cycle cycle) { return state_of(rows_[row], cycle); }, change);
  }
  TricState state_of(const Row& r, Cycle cycle) const;
  void advance(Cycle cycle);
  void end_rows();

  Cycle wake_up_, ahead_;
  bool writes_hold_, free_off_;
  std::vector<std::uint32_t> first_;  ///< for each bank: row number of its entry 0
  std::vector<Row> rows_;
  /// rows whose last use ended in the current cycle; only the first ends_ elements are valid
  std::vector<RowId> ending_;
  std::size_t ends_ = 0;
  RowStateTimes times_;
  RowWatch watch_;
  std::uint64_t used_wake_ups_ = 0;
  std::uint64_t wake_ups_noted_ = 0;  ///< value of wake_ups_ when its wake-ups were last added to times_
  /// cycle of the most recent event; uses that ended before this cycle have taken effect
  Cycle present_ = 0;
  Counter &wake_ups_, &useless_, &kept_awake_;
};

}  // namespace heddle
