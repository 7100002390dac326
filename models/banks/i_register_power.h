#pragma once

// Family "register power": power states and access times of the rows of the register banks. Plain C++. The
// banks call a policy when an access is announced, when the access arrives, and when a row serves it. The
// policy acts on these events and never scans rows.
//
// A use is the time for which a row is needed by one access. The use begins when an instruction that gets a
// collector announces the access and the policy accepts the announcement. Otherwise the use begins when the
// access arrives. This is the case for a policy that ignores announcements, and for traffic without
// announcement: results of bar.red, write-backs, fills and moves.
//
// Each use ends exactly once. It ends when the row serves the access. It ends by dropped() if a stage nearer
// to the collectors answered the access, or if the access went to another row.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Delays of an access that its row adds to the banks' normal timing.
struct RowTiming {
  Cycle added_cycles = 0;  ///< cycles that a read takes in addition to the banks' latency
  Cycle busy_cycles = 1;   ///< cycles for which the access occupies the port of its bank
};

class RegisterPower {
 public:
  struct Context {
    std::vector<int> depths;  ///< number of rows of every bank
    StatsScope stats;         ///< scope under which the policy's counters appear
  };
  static constexpr const char* kFamily = "register power";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.power";
  virtual ~RegisterPower() = default;

  /// Returns true if all rows always hold their values and serve every access at once, at the banks' speed
  /// and in all lanes. The banks then call no other function of the policy.
  virtual bool always_on() const { return false; }

  /// allocated(): the row belongs to a register from now on. freed(): the row belongs to no register any
  /// more, its value is lost, and the banks poison it. If a stage nearer to the collectors maps registers
  /// dynamically, the banks call allocated() at every announcement or arrival of a write to the row.
  virtual void allocated(Cycle, const RegisterPlace&) {}
  virtual void freed(Cycle, const RegisterPlace&) {}
  /// Called once for each access that an instruction in a collector announces. Returns the first cycle in
  /// which the row can serve the access. A sleeping row begins to wake. The returned cycle stays valid while
  /// the row belongs to its register. Returns kNever if the policy does not accept the announcement. The use
  /// of the row then begins when the access arrives.
  virtual Cycle announced(Cycle, const RegisterPlace&, bool /*write*/) { return kNever; }
  /// Ends a use that an accepted announcement began, because no access to this row follows.
  virtual void dropped(Cycle, const RegisterPlace&, bool /*write*/) {}
  /// Called when an access arrives whose use has not begun. Returns the first cycle in which the row can
  /// serve the access.
  virtual Cycle arrives(Cycle now, const RegisterPlace&, bool /*write*/) { return now; }
  /// Called when the row serves the access. Returns the lanes of the row whose values are lost, because the
  /// row was not on. The banks poison these lanes before a read, and after a write.
  virtual LaneMask served(Cycle, const RegisterPlace&, bool /*write*/) { return 0; }

  /// Returns true if timing() may add delays or lanes_driven() may return fewer than all lanes. If false, the
  /// banks call neither function.
  virtual bool shapes_accesses() const { return true; }
  virtual RowTiming timing(Cycle, const RegisterPlace&, bool /*write*/) const { return {}; }
  /// Returns the lanes that an access of `mask` drives: at least the lanes of `mask`. A read delivers poison
  /// in the other lanes.
  virtual LaneMask lanes_driven(LaneMask /*mask*/) const { return kAllLanes; }

  /// settle(): brings the counters of cycles in each power state up to date for all cycles before `cycle`.
  /// begins(): a launch begins in `cycle`, and only cycles from `cycle` on count.
  virtual void settle(Cycle) {}
  virtual void begins(Cycle) {}
  /// An equation between the policy's counters that must hold at the end of a run: `left` equals `right`.
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  virtual std::vector<Rule> rules() const { return {}; }

  /// Adds the policy's probe points, at which observers and RTL blocks see its decisions
  /// (models/core/probe.h).
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
