#pragma once

// Interface of power domains for their owner: an execution unit owns domains of its lanes, a register-file
// stage those of its subarrays. The owner reports the use of domains. A gating policy, which the owner does
// not depend on, puts domains to sleep and wakes them.
//
// In every cycle t with work, the owner calls advance(t), which applies the states of cycle t. Then it calls
// left() for domains in use up to t - 1, use() for domains in use from t on, and set_inputs(). Inputs hold
// until the next set_inputs(). Cycles without calls cost no time, because advance() computes their effect. An
// owner that waits for a domain must run in the cycle next_change().

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

/// State shared by several groups whose owner advances them together. It shows without a call of each group
/// whether any group has work in a cycle and whether a state has changed.
struct DomainAgenda {
  Cycle next = kNever;  ///< first cycle in which a group may have work; advancing all groups sets it again
  /// Number that increases whenever a state changes, or the set of usable domains.
  std::uint64_t changes = 0;
};

class PowerDomains {
 public:
  virtual ~PowerDomains() = default;

  virtual void advance(Cycle now) = 0;
  /// Next cycle in which a state changes if inputs stay the same; kNever if there is none.
  virtual Cycle next_change() const = 0;
  virtual DomainSet awake() const = 0;
  virtual DomainSet in_use() const = 0;
  /// Adds one user to each domain. A domain is in use while it has a user. Throws InternalError if a domain
  /// is not awake.
  virtual void use(Cycle now, DomainSet domains) = 0;
  /// Removes one user of each domain. Its last cycle of use was `now - 1`.
  virtual void left(Cycle now, DomainSet domains) = 0;
  virtual void set_inputs(Cycle now, const DomainInputs& inputs) = 0;
};

struct PowerDomainsRequest {
  std::string name;  ///< name of the counters, see domain_group.h
  int domains = 1;   ///< number of domains, at most 32
  DomainKind kind = DomainKind::parts;
  DomainGroupParameters parameters;
  StatsScope stats;  ///< scope of the owner, in which the counters' scopes are made
  /// Agenda of groups that the owner advances together; nullptr: the group has its own.
  DomainAgenda* agenda = nullptr;
};

/// Creates groups of domains. The maker owns the groups. It starts them with every kernel, settles their
/// counters and checks that their times add up.
class PowerDomainsMaker {
 public:
  virtual ~PowerDomainsMaker() = default;
  virtual PowerDomains& make(const PowerDomainsRequest& request) = 0;
};

}  // namespace heddle
