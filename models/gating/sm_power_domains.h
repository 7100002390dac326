#pragma once

// Owns all power domains of an SM: the domains of its execution units, and groups of domains that other
// modules have requested. Each partition has INT, FP, SFU and matrix units; all partitions share the
// load/store unit.

#include <array>
#include <memory>
#include <vector>

#include "models/gating/i_unit_rule.h"
#include "models/gating/unit_domains.h"
#include "models/isa/opcode.h"

namespace heddle {

class SmPowerDomains : public PowerDomainsMaker {
 public:
  struct Wiring {
    const GatingParameters* parameters = nullptr;
    int partitions = 1;
    int clusters = 2;
    int sfu_units = 1;
    int matrix_units = 0;
    bool every_cycle = false;
    StatsScope stats;
  };
  explicit SmPowerDomains(const Wiring& wiring);

  /// Creates a group of power domains for another module, which must call the group's advance().
  /// SmPowerDomains starts the group with every kernel, and completes the group's counters at the end.
  PowerDomains& make(const PowerDomainsRequest& request) override;

  void begin(Cycle cycle);
  /// Advances the power domains of the execution units to cycle `now`, but not the groups that
  /// make() created for other modules.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  Cycle next_change() const { return agenda_.next; }
  void settle(Cycle cycle);
  void check_conservation() const;

  /// Power domains of the units of class `unit` for a partition. The GPU must have units of this class. The
  /// class must not be `control`.
  UnitDomains& of(std::size_t partition, isa::UnitClass unit) {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  const UnitDomains& of(std::size_t partition, isa::UnitClass unit) const {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  bool has(std::size_t partition, isa::UnitClass unit) const {
    return by_class_[partition][static_cast<std::size_t>(unit)] != nullptr;
  }
  /// State of each unit class of a partition for the issue stage. The class control is always awake, because
  /// control instructions need no unit.
  UnitViews power(std::size_t partition);
  /// A number that grows whenever a power domain of an execution unit changes its state.
  std::uint64_t changes() const { return agenda_.changes; }
  bool gates() const { return gates_; }
  /// Rule that a gating technique applies to instructions between their issue and their entry into the unit;
  /// nullptr if no technique has such a rule.
  UnitRule* rule() const { return rule_.get(); }
  bool in_parts() const { return in_parts_; }
  /// Largest number of cycles for which an instruction waits until all needed parts of a unit are on; 0 if no
  /// unit has parts that wake for waiting instructions.
  Cycle longest_wait_for_parts() const;

  /// Adds the probe points of the units' groups, for example "<scope>.ldst" and "<scope>.partition0.int". If
  /// each half of a unit is a power domain, its point is "<scope>.partition0.int0.halves".
  void probes(const ProbeScope& scope);

 private:
  void advance_groups(Cycle now);
  void renew_agenda();

  DomainAgenda agenda_;
  std::vector<std::unique_ptr<UnitDomains>> units_;
  std::vector<std::unique_ptr<DomainGroup>> others_;
  std::vector<std::array<UnitDomains*, kUnitClasses>> by_class_;
  std::unique_ptr<UnitRule> rule_;
  bool every_cycle_, gates_ = false, in_parts_ = false;
};

}  // namespace heddle
