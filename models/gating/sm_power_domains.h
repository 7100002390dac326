#pragma once

// Power domains of an SM: those of its execution units (INT, FP and SFU of every partition, and the
// load/store unit that all partitions share), and groups that other modules have requested.

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
    int clusters = 2;  ///< of a partition
    int sfu_units = 1;
    bool every_cycle = false;
    StatsScope stats;  ///< of the SM
  };
  explicit SmPowerDomains(const Wiring& wiring);

  /// Their owner advances them; all else goes with the domains of the units.
  PowerDomains& make(const PowerDomainsRequest& request) override;

  void begin(Cycle cycle);
  /// The domains of the units; those that others own are theirs to advance.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  /// The next cycle in which a domain of a unit changes state if nothing else happens.
  Cycle next_change() const { return agenda_.next; }
  void settle(Cycle cycle);
  void check_conservation() const;

  /// The domains of what executes instructions of `unit` (not control) from a partition.
  UnitDomains& of(std::size_t partition, isa::UnitClass unit) {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  const UnitDomains& of(std::size_t partition, isa::UnitClass unit) const {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  /// State of every unit class for views; control is always awake.
  UnitViews power(std::size_t partition);
  /// Grows whenever the state of any domain of a unit changes.
  std::uint64_t changes() const { return agenda_.changes; }
  /// Some unit may be gated.
  bool gates() const { return gates_; }
  /// Gate between issue and units; nullptr: none.
  UnitRule* rule() const { return rule_.get(); }
  /// Some unit is gated in parts.
  bool in_parts() const { return in_parts_; }
  /// Cycles for which an instruction that goes on waiting for the same parts of a unit may wait until all of them are
  /// on; 0 where there are none that wake for what waits.
  Cycle longest_wait_for_parts() const;

  /// The probe points of the groups of the units: "<scope>.ldst", "<scope>.partition0.int"; of a unit in parts,
  /// "<scope>.partition0.int0.halves".
  void probes(const ProbeScope& scope);

 private:
  void advance_groups(Cycle now);
  void renew_agenda();

  DomainAgenda agenda_;  ///< of the groups of units
  std::vector<std::unique_ptr<UnitDomains>> units_;
  std::vector<std::unique_ptr<DomainGroup>> others_;
  std::vector<std::array<UnitDomains*, 5>> by_class_;
  std::unique_ptr<UnitRule> rule_;
  bool every_cycle_, gates_ = false, in_parts_ = false;
};

}  // namespace heddle
