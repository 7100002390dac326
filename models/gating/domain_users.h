#pragma once

// Counts the users of each power domain in a group of alternatives (whole units) or parts (groups of lanes of
// one unit).

#include <bit>
#include <vector>

#include "models/core/growing_array.h"
#include "models/core/power_state.h"

namespace heddle {

class DomainUsers {
 public:
  DomainUsers(int domains, DomainKind kind)
      : counts_(kind == DomainKind::parts ? 0 : static_cast<std::size_t>(domains)) {}

  void clear() {
    planes_.clear();
    counts_.assign(counts_.size(), 0);
  }
  void add(DomainSet domains) {
    if (counts_.empty()) return add_to_planes(domains);
    for (; domains; domains &= domains - 1) ++counts_[static_cast<std::size_t>(std::countr_zero(domains))];
  }
  DomainSet remove(DomainSet domains) {
    if (counts_.empty()) return remove_from_planes(domains);
    DomainSet none = 0;
    for (; domains; domains &= domains - 1)
      if (--counts_[static_cast<std::size_t>(std::countr_zero(domains))] <= 0) none |= domains & -domains;
    return none;
  }
  void add_one(std::size_t domain) { ++counts_[domain]; }
  bool remove_one(std::size_t domain) { return --counts_[domain] <= 0; }

 private:
  void add_to_planes(DomainSet domains) {
    for (DomainSet& plane : planes_) {
      const DomainSet carry = plane & domains;
      plane ^= domains;
      domains = carry;
      if (!domains) return;
    }
    if (domains) planes_.push_back(domains);
  }
  DomainSet remove_from_planes(DomainSet domains) {
    DomainSet borrow = domains & any();
    for (DomainSet& plane : planes_) {
      plane ^= borrow;
      borrow &= plane;
    }
    return domains & ~any();
  }
  DomainSet any() const {
    DomainSet any = 0;
    for (const DomainSet plane : planes_) any |= plane;
    return any;
  }

  std::vector<int> counts_;
  /// For each power domain of a unit, the number of instructions that use it. The numbers are stored
  /// bit-sliced: bit i of plane p is bit p of the number for domain i.
  GrowingArray<DomainSet> planes_;
};

}  // namespace heddle
