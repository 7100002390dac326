#pragma once

// Interface between a group of power domains and the hardware that contains them (the owner). For example, an
// execution unit owns domains of its lanes, and a register-file stage owns domains of its subarrays. The
// owner reports when domains are in use. A gating policy puts domains to sleep and wakes them.
//
// In every cycle t with work, the owner first calls advance(t). Then it calls left() for domains whose use
// ended in cycle t - 1, and use() for domains whose use begins in cycle t. Last, it calls set_inputs() to
// pass the numbers of waiting warps and instructions to the gating policy. The policy uses these numbers
// until the next set_inputs(). An owner that waits for a domain must run in the cycle that next_change()
// returns.

#include <memory>
#include <string>

#include "models/core/fields.h"
#include "models/core/power_state.h"
#include "models/core/stats.h"

namespace heddle {

struct DomainGroupParameters {
  ConfigNode policy = ConfigNode::make_string("none");
  int idle_detect_cycles = 5;
  int break_even_cycles = 14;
  int wake_up_cycles = 3;

  void fields(FieldVisitor& v) {
    v.choice("policy", policy, "gating policy", "when domains of the class go to sleep and wake up");
    v.field("idle_detect_cycles", idle_detect_cycles, {0, 1023},
            "idle cycles after which a domain may go to sleep (0: at once; Abdel-Majeed 2016, 3.6.1: 5)");
    v.field("break_even_cycles", break_even_cycles, {1, 1023},
            "gated cycles whose leakage pays for switching the sleep transistor off and on (Abdel-Majeed "
            "2016, 3.6.1: 14)");
    v.field("wake_up_cycles", wake_up_cycles, {1, 255},
            "cycles from the wake-up signal to a usable domain (Abdel-Majeed 2016, 3.6.1: 3)");
    v.off("policy", "none", {"idle_detect_cycles", "break_even_cycles", "wake_up_cycles"});
  }
};

/// State that several groups of power domains share because one owner advances them together.
struct DomainAgenda {
  Cycle next = kNever;
  /// Number that grows whenever a domain changes its state, or the set of usable domains changes.
  std::uint64_t changes = 0;
};

class PowerDomains {
 public:
  virtual ~PowerDomains() = default;

  virtual void advance(Cycle now) = 0;
  /// Returns the next cycle in which the state of a domain changes if the inputs stay the same; kNever if
  /// there is none.
  virtual Cycle next_change() const = 0;
  virtual DomainSet awake() const = 0;
  virtual DomainSet in_use() const = 0;
  /// Adds one user to each of the domains. A domain is in use while it has at least one user. Throws
  /// InternalError if one of the domains is not awake.
  virtual void use(Cycle now, DomainSet domains) = 0;
  /// Removes one user from each of the domains. Cycle `now - 1` was the last cycle of this use.
  virtual void left(Cycle now, DomainSet domains) = 0;
  virtual void set_inputs(Cycle now, const DomainInputs& inputs) = 0;
};

struct PowerDomainsRequest {
  std::string name;
  int domains = 1;  ///< number of power domains in the group, at most 32
  DomainKind kind = DomainKind::parts;
  DomainGroupParameters parameters;
  StatsScope stats;
  /// next change and number of changes, shared with the other groups of the owner; nullptr: not shared
  DomainAgenda* agenda = nullptr;
};

/// Creates and owns groups of power domains. Restarts the groups at the start of every kernel. Checks that
/// the cycles in all states add up to the cycles that have passed.
class PowerDomainsMaker {
 public:
  virtual ~PowerDomainsMaker() = default;
  virtual PowerDomains& make(const PowerDomainsRequest& request) = 0;
};

}  // namespace heddle
