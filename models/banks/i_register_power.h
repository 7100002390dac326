#pragma once

// Interface of the register power policies. A policy controls the power states and access times of the rows
// of the register banks. The banks report each use of a row: the announcement by an instruction in a
// collector, the arrival of the access, and its service.
//
// A use begins with the announcement if the policy accepts it, otherwise with the arrival. A use ends when
// the row serves the access. If the access never reaches this row, dropped() ends the use.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Delays that a row adds to the normal timing of an access.
struct RowTiming {
  Cycle added_cycles = 0;  ///< cycles that a read takes in addition to the banks' latency
  Cycle busy_cycles = 1;   ///< cycles for which the access occupies the port of its bank
};

class RegisterPower {
 public:
  struct Context {
    std::vector<int> depths;
    StatsScope stats;
  };
  static constexpr const char* kFamily = "register power";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.power";
  virtual ~RegisterPower() = default;

  /// Returns true if all rows are always on and serve every access at normal speed in all lanes. If true, the
  /// banks call no other function of the policy.
  virtual bool always_on() const { return false; }

  /// allocated(): the row belongs to a register from now on. freed(): the row belongs to no register any
  /// more, and its value is lost. With a dynamic register mapping, allocated() is called again whenever a
  /// write to the register is announced, and whenever a write arrives.
  virtual void allocated(Cycle, const RegisterPlace&) {}
  virtual void freed(Cycle, const RegisterPlace&) {}
  /// Called for each access that an instruction in a collector announces. Returns the first cycle in which
  /// the row can serve the access; a sleeping row begins to wake. Returns kNever if the policy does not
  /// accept announcements; the use then begins when the access arrives.
  virtual Cycle announced(Cycle, const RegisterPlace&, bool /*write*/) { return kNever; }
  /// Ends a use that began with an accepted announcement. The announced access will not come to this row.
  virtual void dropped(Cycle, const RegisterPlace&, bool /*write*/) {}
  /// Called when an access arrives without an accepted announcement. Returns the first cycle in which the row
  /// can serve the access.
  virtual Cycle arrives(Cycle now, const RegisterPlace&, bool /*write*/) { return now; }
  /// Called when the row serves the access. Returns the lanes whose values are lost because the row was not
  /// on. The banks poison these lanes.
  virtual LaneMask served(Cycle, const RegisterPlace&, bool /*write*/) { return 0; }

  /// Returns false if timing() never adds delays and lanes_driven() always returns all lanes. If false, the
  /// banks call neither function.
  virtual bool shapes_accesses() const { return true; }
  virtual RowTiming timing(Cycle, const RegisterPlace&, bool /*write*/) const { return {}; }
  /// Returns the lanes that an access drives: at least the lanes of `mask`. A read delivers poison in lanes
  /// that are not driven.
  virtual LaneMask lanes_driven(LaneMask /*mask*/) const { return kAllLanes; }

  /// settle(): updates the counters of power states for all cycles before `cycle`. begins(): a launch begins,
  /// and only cycles from `cycle` on are counted.
  virtual void settle(Cycle) {}
  virtual void begins(Cycle) {}
  /// An equation between counters that must hold at the end of a run: `left` equals `right`.
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  virtual std::vector<Rule> rules() const { return {}; }

  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
