#pragma once

// "tri-modal": every row is off, drowsy or on (Abdel-Majeed 2016, 5.3, TRIC). Off while no register has it;
// drowsy, which keeps the value, by default; on around accesses alone. Nothing is predicted and nothing is
// scanned: a row counts the uses that are announced or have come, wakes with the first and drowses after the
// last one's service. Reads let go of their row as they are served, writes hold theirs from the announcement
// on, through a whole memory latency (read-aggressive, write-conservative).
//
// What begins in a cycle takes effect in it, what ends after it, so that the order of events within a cycle
// does not show.

#include <memory>
#include <string>
#include <vector>

#include "models/banks/i_register_power.h"
#include "models/banks/tri_modal_point.h"
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
  using RowId = std::uint32_t;  ///< over all banks
  struct Row {
    std::uint32_t uses = 0;
    bool allocated = false, awake = false;
    bool ends = false;     ///< stands in ending_
    bool touched = false;  ///< an access was served since it woke
    Cycle on_from = 0;     ///< of one that is awake: waking before, on from then
    Cycle drowsy_since = 0;
  };
  /// Rows of a state, and the cycles that rows have been in it.
  struct StateTime {
    std::uint64_t rows = 0, sum = 0;  ///< sum: of the ends of times less that of their beginnings
    void enter(Cycle at, std::uint64_t count = 1) {
      rows += count;
      sum -= count * at;
    }
    void leave(Cycle at, std::uint64_t count = 1) {
      rows -= count;
      sum += count * at;
    }
    std::uint64_t until(Cycle cycle) const { return sum + rows * cycle; }
    /// Nothing but `told` is counted before the cycle.
    void begin(Cycle cycle, std::uint64_t told) { sum = told - rows * cycle; }
  };
  struct BecomingOn {
    Cycle from = 0;
    std::uint64_t rows = 0;
  };
  /// A row that somebody may look at: what has happened to it in cycle seen.now.
  struct Watched {
    explicit Watched(const TricSettings& settings) : probe(settings) {}
    Probe<TricPoint> probe;
    TricView seen;
  };
  BecomingOn& becoming_on(Cycle from);
  RowId number(const RegisterPlace& place) const { return first_[place.bank.value] + place.entry; }
  bool may_wake(const Row& r) const { return r.allocated || !free_off_; }
  /// Whether an event is more than a row's own: the first of its cycle, or one that somebody looks at.
  bool is_noted(Cycle now) const { return now != present_ || watches_; }
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
  void see(Cycle now, RowId number, Change change);
  TricState state_of(const Row& r, Cycle cycle) const;
  void advance(Cycle cycle);
  void end_rows();
  std::uint64_t still_waking(Cycle cycle) const;

  TricSettings settings_;
  Cycle wake_up_, ahead_, becoming_bits_;
  bool writes_hold_, free_off_;
  std::vector<std::uint32_t> first_;  ///< row of entry 0, by bank
  std::vector<Row> rows_;
  std::vector<RowId> ending_;  ///< the first ends_ of them: rows whose last use ended in the present cycle
  std::size_t ends_ = 0;
  std::vector<BecomingOn> becoming_on_;  ///< by the low bits of the cycle
  StateTime awake_rows_, drowsy_rows_, off_rows_;
  StateTime time_{1, 0};  ///< that is counted
  std::uint64_t wake_sum_ = 0, used_wake_ups_ = 0;
  std::uint64_t wake_ups_noted_ = 0;  ///< of wake_ups_: those in the states' times
  std::uint64_t on_told_ = 0, wake_told_ = 0, drowsy_told_ = 0, off_told_ = 0, time_told_ = 0;
  Cycle present_ = 0;  ///< of the last event: what ended in an earlier cycle has gone
  bool watches_ = false;
  std::vector<std::unique_ptr<Watched>> watched_;
  Probe<TricRowsPoint> all_watched_{settings_};
  TricRowsView seen_;
  Counter &on_, &wake_, &drowsy_, &off_, &wake_ups_, &useless_, &kept_awake_;
};

}  // namespace heddle
