#pragma once

// This structure holds technologies that are bound to the counters of one GPU. account_binder.h creates it,
// and energy_account.h computes energies from it.

#include <cstdint>
#include <string>
#include <vector>

#include "power/energy_report.h"
#include "power/technology.h"

namespace heddle::power {

struct Place {
  /// index of the counter in the StatsRegistry, or kCycles, which stands for the number of cycles of the
  /// reported launch, run or interval
  std::size_t counter;
  std::size_t unit;  ///< index of the counter's unit in BoundStructure::units
};

struct BoundTerm {
  std::vector<Place> places;
  double pj_each = 0;
};

struct BoundEntry {
  const Entry* entry;
  const Technology* technology;
  std::size_t structure;
  BoundTerm spent, baseline;
};

struct BoundStructure {
  std::string name;
  std::vector<std::string> units;
};

struct BoundShare {
  const Share* share;
  const Technology* technology;
  double factor, cost;
};

struct UnitCheck {
  std::string owner;
  const CycleCheck* check;
  std::vector<std::size_t> counters;
  std::uint64_t times = 1;
};

/// An entry of a technology file that prices nothing in this run, because another technology prices the
/// entry's events. `entry` is empty if another technology replaces all entries of `technology`.
struct LeftOut {
  std::string technology, entry, priced_by;
};

struct BoundAccount {
  double clock_mhz = 0;
  std::vector<BoundStructure> structures;
  std::vector<BoundEntry> entries;
  std::vector<BoundShare> shares;
  std::vector<UnitCheck> checks;
  std::vector<LeftOut> left_out;
  NotPriced not_priced;
  std::vector<std::string> warnings;
};

}  // namespace heddle::power
