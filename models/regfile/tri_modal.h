#pragma once

// "tri-modal": every row is off, drowsy or on (003, 5.3, TRIC). Off while no register has it; drowsy, which keeps
// the value, by default; on around accesses alone. Nothing is predicted and nothing is scanned: a row counts the
// uses that are announced or have come, wakes with the first and drowses behind the last one's service. Reads
// let go of their row as they are served, writes hold theirs from the announcement on, through a whole memory
// latency (read-aggressive, write-conservative).
//
// What begins in a cycle takes effect in it, what ends behind it, so that the order of events within a cycle
// does not show.

#include <memory>
#include <string>
#include <vector>

#include "models/core/fields.h"
#include "models/regfile/i_register_power.h"
#include "models/regfile/tri_modal_point.h"

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
  void announced(Cycle now, const RegisterPlace& place, bool write) override {
    if (!write || writes_hold_) use(now, row(place), ahead_);
  }
  void dropped(Cycle now, const RegisterPlace& place, bool write) override {
    if (!write || writes_hold_) unuse(now, row(place));
  }
  Cycle arrives(Cycle now, const RegisterPlace& place, bool write, bool announced) override;
  LaneMask served(Cycle now, const RegisterPlace& place, bool write, bool announced) override;
  void settle(Cycle cycle) override;
  void begins(Cycle cycle) override;
  std::vector<Rule> rules() const override;
  void probes(const ProbeScope& scope) override;

 private:
  struct Row {
    std::uint32_t uses = 0;
    bool allocated = false, awake = false;
    bool ends = false;     ///< stands in ending_
    bool touched = false;  ///< an access was served since it woke
    Cycle on_from = 0;     ///< of one that is awake: waking before, on from then
    Cycle drowsy_since = 0;
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
  static constexpr std::size_t kWatched = 4;

  Row& row(const RegisterPlace& place) { return rows_[first_[place.bank.value] + place.entry]; }
  bool may_wake(const Row& r) const { return r.allocated || !free_off_; }
  TricView* seen(Cycle now, const Row& r);
  TricState state_of(const Row& r, Cycle cycle) const;
  void use(Cycle now, Row& r, Cycle ahead);
  void unuse(Cycle now, Row& r);
  void wake(Cycle now, Row& r, Cycle ahead);
  void ends(Row& r);
  void end_rows();
  void shift_to_awake(Cycle cycles);
  void advance(Cycle cycle);
  void count(Cycle cycles);
  void take_back(Cycle cycles);
  std::uint64_t still_waking(Cycle cycle) const;

  TricSettings settings_;
  Cycle wake_up_, ahead_;
  bool writes_hold_, free_off_;
  std::vector<std::uint32_t> first_;  ///< row of entry 0, by bank
  std::vector<Row> rows_;
  std::vector<std::uint32_t> ending_;    ///< rows whose last use ended in cycle settled_
  std::vector<BecomingOn> becoming_on_;  ///< by cycle
  std::uint64_t awake_now_ = 0, drowsy_now_ = 0, off_now_ = 0;
  std::uint64_t awake_sum_ = 0, wake_sum_ = 0, drowsy_sum_ = 0, off_sum_ = 0;
  std::uint64_t on_told_ = 0, wake_told_ = 0, drowsy_told_ = 0, off_told_ = 0;
  std::uint64_t used_wake_ups_ = 0;
  Cycle settled_ = 0;                           ///< cycles before are counted
  std::uint64_t cycles_ = 0, cycles_told_ = 0;  ///< that are counted
  std::vector<std::unique_ptr<Watched>> watched_;
  Counter &on_, &wake_, &drowsy_, &off_, &wake_ups_, &useless_, &kept_awake_;
};

}  // namespace heddle
