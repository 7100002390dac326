#pragma once

// The power domains of an SM's execution units: a group a partition for INT, FP and SFU, and one for the
// load/store unit that all partitions share.

#include <array>
#include <memory>
#include <vector>

#include "models/gating/domain_group.h"
#include "models/isa/opcode.h"

namespace heddle {

class SmPowerDomains {
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

  void begin(Cycle cycle);
  void advance(Cycle now) {
    for (auto& group : groups_) group->advance(now);
  }
  /// The next cycle in which a domain changes state if nothing else happens.
  Cycle next_change() const;
  void settle(Cycle cycle);
  void check_conservation() const;

  /// The group that executes instructions of `unit` (not control) from a partition.
  DomainGroup& of(std::size_t partition, isa::UnitClass unit) {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  const DomainGroup& of(std::size_t partition, isa::UnitClass unit) const {
    return *by_class_[partition][static_cast<std::size_t>(unit)];
  }
  /// State of every unit class for views; control is always awake.
  std::array<UnitPower, 5> power(std::size_t partition) const;
  /// Grows whenever the state of any domain changes.
  std::uint64_t changes() const {
    std::uint64_t sum = 0;
    for (const auto& group : groups_) sum += group->changes();
    return sum;
  }
  /// Some group may gate something.
  bool gates() const { return gates_; }

  const std::vector<std::unique_ptr<DomainGroup>>& groups() const { return groups_; }

 private:
  std::vector<std::unique_ptr<DomainGroup>> groups_;
  std::vector<std::array<DomainGroup*, 5>> by_class_;
  bool gates_ = false;
};

}  // namespace heddle
