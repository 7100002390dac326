#pragma once

// Power domains of an SM. They are the domains of its execution units (INT, FP and SFU of every partition,
// and the shared load/store unit), and groups that other modules have requested.

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
    int clusters = 2;  ///< clusters of a partition
    int sfu_units = 1;
    bool every_cycle = false;
    StatsScope stats;  ///< scope of the SM
  };
  explicit SmPowerDomains(const Wiring& wiring);

  /// Makes a group that its owner advances. All other calls are those of the units' domains.
  PowerDomains& make(const PowerDomainsRequest& request) override;

  void begin(Cycle cycle);
  /// Advances the domains of the units. Owners of requested groups advance these themselves.
  void advance(Cycle now) {
    if (agenda_.next <= now) advance_groups(now);
  }
  /// Next cycle in which a domain of a unit changes state without a new input.
  Cycle next_change() const { return agenda_.next; }
  void settle(Cycle cycle);
  void check_conservation() const;

  /// Domains of the units that execute instructions of `unit` (not control) from a partition.
  UnitDomains& of(std::size_t partition, isa::UnitClass unit) {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  const UnitDomains& of(std::size_t partition, isa::UnitClass unit) const {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  /// State of every unit class for views. Control is always awake.
  UnitViews power(std::size_t partition);
  /// Increases whenever the state of a domain of a unit changes.
  std::uint64_t changes() const { return agenda_.changes; }
  /// True if a unit may be gated.
  bool gates() const { return gates_; }
  /// Rule for instructions between issue and units; nullptr: none.
  UnitRule* rule() const { return rule_.get(); }
  /// True if a unit is gated in parts.
  bool in_parts() const { return in_parts_; }
  /// Most cycles that an instruction can wait until all parts of a unit that it needs are on. 0 if no parts
  /// wake for waiting instructions.
  Cycle longest_wait_for_parts() const;

  /// Adds the probe points of the units' groups: "<scope>.ldst", "<scope>.partition0.int"; for a unit in
  /// parts, "<scope>.partition0.int0.halves".
  void probes(const ProbeScope& scope);

 private:
  void advance_groups(Cycle now);
  void renew_agenda();

  DomainAgenda agenda_;  ///< agenda of the units' groups
  std::vector<std::unique_ptr<UnitDomains>> units_;
  std::vector<std::unique_ptr<DomainGroup>> others_;
  std::vector<std::array<UnitDomains*, 5>> by_class_;
  std::unique_ptr<UnitRule> rule_;
  bool every_cycle_, gates_ = false, in_parts_ = false;
};

}  // namespace heddle
