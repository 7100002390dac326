#pragma once

// Family "register power": states and speed of the rows of the banks. Plain C++. A policy is called when an
// access is announced, when it arrives and when it is served. It acts on these events and never scans rows.
//
// A use of a row begins when an instruction in a collector announces the word and the policy accepts the
// announcement. Otherwise the use begins when the access arrives. This is the case for a policy that waits
// for the access, and for traffic without an announcement: results of bar.red, write-backs, fills, moves.
// Each use ends exactly once: by the service of its access, or by dropped() if a stage above answered the
// access or it went to another row.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Delays of a row in addition to the banks' latency.
struct RowTiming {
  Cycle added_cycles = 0;  ///< cycles that a read takes beyond the banks' latency
  Cycle busy_cycles = 1;   ///< cycles for which the access occupies the port of its bank
};

class RegisterPower {
 public:
  struct Context {
    std::vector<int> depths;  ///< rows of every bank
    StatsScope stats;         ///< scope of the banks
  };
  static constexpr const char* kFamily = "register power";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.power";
  virtual ~RegisterPower() = default;

  /// True if all rows always hold their values and can be accessed at once, at the banks' speed and in all
  /// lanes. No function below is then called.
  virtual bool always_on() const { return false; }

  /// allocated(): the row belongs to a register from now on. freed(): the row belongs to no register, its
  /// value is lost, and the banks poison the row. If a stage maps registers as they are used, a row is
  /// allocated at every announcement or arrival of a write to the row.
  virtual void allocated(Cycle, const RegisterPlace&) {}
  virtual void freed(Cycle, const RegisterPlace&) {}
  /// A collector announces an access; called once for each access. Returns the first cycle in which the row
  /// can serve the access. A sleeping row begins to wake. The returned cycle holds while the row belongs to
  /// its register. kNever: the policy does not accept the announcement, and the use of the row begins when
  /// the access arrives.
  virtual Cycle announced(Cycle, const RegisterPlace&, bool /*write*/) { return kNever; }
  /// Ends the use of a row whose accepted announcement is followed by no access to this row.
  virtual void dropped(Cycle, const RegisterPlace&, bool /*write*/) {}
  /// An access has arrived whose use has not begun. Returns the first cycle in which the row can serve it.
  virtual Cycle arrives(Cycle now, const RegisterPlace&, bool /*write*/) { return now; }
  /// The row serves the access. Returns the lanes of the row that have lost their value by now. The banks
  /// poison these lanes: before a read, and after a write, whose values are lost in these lanes.
  virtual LaneMask served(Cycle, const RegisterPlace&, bool /*write*/) { return 0; }

  /// True if timing() or lanes_driven() may differ from the banks' speed and all lanes. Otherwise neither is
  /// called.
  virtual bool shapes_accesses() const { return true; }
  virtual RowTiming timing(Cycle, const RegisterPlace&, bool /*write*/) const { return {}; }
  /// Lanes that an access of `mask` drives, a superset of `mask`. Reads deliver poison in the other lanes.
  virtual LaneMask lanes_driven(LaneMask /*mask*/) const { return kAllLanes; }

  /// settle(): makes the counters of times in states exact up to `cycle`, which is excluded. begins(): a
  /// launch begins in `cycle`, and time counts from it on.
  virtual void settle(Cycle) {}
  virtual void begins(Cycle) {}
  /// Conservation rules of the policy's counters at the end of a run: pairs of equal sums.
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  virtual std::vector<Rule> rules() const { return {}; }

  /// Adds the points at which decisions can be observed (models/core/probe.h), if the policy has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
