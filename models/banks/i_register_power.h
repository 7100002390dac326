#pragma once

// Family "register power": states and speed of the rows of the banks. Plain C++. A policy is notified of
// coming accesses, and is called when an access arrives and when it is served; it acts on events and never
// scans rows.
//
// A use of a row begins when an instruction in a collector announces the word and the policy takes the
// announcement, otherwise when the access arrives (a policy that waits for it; traffic without an
// announcement: results of bar.red, write-backs, fills, moves). Each use ends exactly once, by the service of
// its access or, if a stage above answered it or it went to another row, by dropped().

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/lanes.h"
#include "models/core/probe.h"
#include "models/core/stats.h"
#include "models/ports/register_place.h"

namespace heddle {

/// Speed of a row beside the banks' own.
struct RowTiming {
  Cycle added_cycles = 0;  ///< of a read, beyond the banks' latency
  Cycle busy_cycles = 1;   ///< for which the access takes the port of its bank
};

class RegisterPower {
 public:
  struct Context {
    std::vector<int> depths;  ///< rows of every bank
    StatsScope stats;         ///< of the banks
  };
  static constexpr const char* kFamily = "register power";
  static constexpr const char* kPlace = "gpu.sm.register_file.banks.power";
  virtual ~RegisterPower() = default;

  /// Rows hold their values, can be accessed at once, at the banks' speed, in all lanes: nothing below is
  /// called.
  virtual bool always_on() const { return false; }

  /// The row belongs to a register from now on, or to none: its value is lost, and the banks poison it. If a
  /// stage maps registers as they are used, a row is allocated at every announcement or arrival of a write to
  /// it.
  virtual void allocated(Cycle, const RegisterPlace&) {}
  virtual void freed(Cycle, const RegisterPlace&) {}
  /// An access is announced. Returns the first cycle in which the row can serve it; a sleeping row begins to
  /// wake. The answer holds as long as the row is its register's; called once. kNever: the policy does not
  /// take the announcement, and the use begins when the access arrives.
  virtual Cycle announced(Cycle, const RegisterPlace&, bool /*write*/) { return kNever; }
  /// What was announced, and taken, does not come to this row.
  virtual void dropped(Cycle, const RegisterPlace&, bool /*write*/) {}
  /// An access has come whose use has not begun yet: the same question.
  virtual Cycle arrives(Cycle now, const RegisterPlace&, bool /*write*/) { return now; }
  /// The access is served: lanes of the row that do not hold a value by then. The banks poison them: before a
  /// read, and after a write, which is lost.
  virtual LaneMask served(Cycle, const RegisterPlace&, bool /*write*/) { return 0; }

  /// True if the two functions below may return anything but rows at the banks' speed, in all lanes;
  /// otherwise they are not called.
  virtual bool shapes_accesses() const { return true; }
  virtual RowTiming timing(Cycle, const RegisterPlace&, bool /*write*/) const { return {}; }
  /// Lanes that an access of `mask` drives, which hold `mask`; reads deliver poison in the others.
  virtual LaneMask lanes_driven(LaneMask /*mask*/) const { return kAllLanes; }

  /// Times in states are counted up to, and not including, `cycle`; of a launch, from the cycle in which it
  /// begins.
  virtual void settle(Cycle) {}
  virtual void begins(Cycle) {}
  /// Conditions on its counters at the end of a run: pairs of equal sums.
  struct Rule {
    std::string what;
    std::uint64_t left = 0, right = 0;
  };
  virtual std::vector<Rule> rules() const { return {}; }

  /// Lists the points at which its decisions can be observed (models/core/probe.h), if it has any.
  virtual void probes(const ProbeScope&) {}
};

}  // namespace heddle
