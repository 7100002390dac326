#pragma once

// Models the register power policy "tri-modal" (TRIC, Abdel-Majeed 2016, 5.3): every row is off, drowsy or
// on. A row without a register is off. A row with a register is drowsy, which keeps its value. A row wakes
// with its first announced or arriving use, and becomes drowsy when its last use has been served. An
// announced write keeps its row awake until the write is served, even for a whole memory latency.
//
// Events that begin a use take effect in the same cycle. Events that end a use take effect after the cycle.
// Therefore the result is independent of module order.

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
  using RowId = std::uint32_t;
  struct Row {
    std::uint32_t uses = 0;
    bool allocated = false, awake = false;
    bool ends = false;
    bool touched = false;
    /// First cycle in which the row has full voltage. `awake` is set some cycles earlier, when the wake-up
    /// begins.
    Cycle on_from = 0;
    Cycle drowsy_since = 0;
  };
  RowId number(const RegisterPlace& place) const { return first_[place.bank.value] + place.entry; }
  bool may_wake(const Row& r) const { return r.allocated || !free_off_; }
  /// Returns true if note() must record an event of a row: the event is the first of its cycle, or an observer
  /// is attached.
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
  std::vector<std::uint32_t> first_;
  std::vector<Row> rows_;
  std::vector<RowId> ending_;
  std::size_t ends_ = 0;
  RowStateTimes times_;
  RowWatch watch_;
  std::uint64_t used_wake_ups_ = 0;
  std::uint64_t wake_ups_noted_ = 0;
  Cycle present_ = 0;
  Counter &wake_ups_, &useless_, &kept_awake_;
};

}  // namespace heddle
