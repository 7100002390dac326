#pragma once

// Power domains as their owner drives them: a unit its lanes, a register-file stage its subarrays. The owner
// reports its use; a gating policy, which the owner does not know, puts domains to sleep and wakes them.
//
// In every cycle t with anything to do the owner calls advance(t), which applies the states of cycle t, then
// left() for domains in use up to t - 1, use() for domains in use from t on, and set_inputs(). Inputs hold
// until they are set again. Cycles without calls cost nothing: advance() computes their effect. An owner that
// waits for a domain requests a tick in next_change().

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

/// State shared by several groups whose owner advances them together: it shows whether any of them has work
/// in a cycle, and whether a state has changed, without a call of each.
struct DomainAgenda {
  Cycle next =
      kNever;  ///< before this cycle no group has anything to do; advancing all of them says what comes after
  std::uint64_t changes = 0;  ///< grows whenever a state changes, or what of a group may be used
};

class PowerDomains {
 public:
  virtual ~PowerDomains() = default;

  virtual void advance(Cycle now) = 0;
  /// Next cycle in which a state changes if inputs stay the same; kNever if none does.
  virtual Cycle next_change() const = 0;
  virtual DomainSet awake() const = 0;
  virtual DomainSet in_use() const = 0;
  /// Users of a domain are counted: it is in use while it has one. InternalError if one is not awake.
  virtual void use(Cycle now, DomainSet domains) = 0;
  /// One user of each was there for the last time in cycle `now - 1`.
  virtual void left(Cycle now, DomainSet domains) = 0;
  virtual void set_inputs(Cycle now, const DomainInputs& inputs) = 0;
};

struct PowerDomainsRequest {
  std::string name;  ///< names the counters, see domain_group.h
  int domains = 1;   ///< at most 32
  DomainKind kind = DomainKind::parts;
  DomainGroupParameters parameters;
  StatsScope stats;                ///< owner of the counters' scopes
  DomainAgenda* agenda = nullptr;  ///< of the groups that its owner advances together; nullptr: its own
};

/// Creates groups. They live as long as their maker, which begins them with every kernel, settles them and
/// checks that their times add up.
class PowerDomainsMaker {
 public:
  virtual ~PowerDomainsMaker() = default;
  virtual PowerDomains& make(const PowerDomainsRequest& request) = 0;
};

}  // namespace heddle
