#pragma once

// Technologies bound to one GPU: the result of account_binder.h and the input of energy_account.h.

#include <cstdint>
#include <string>
#include <vector>

#include "power/energy_report.h"
#include "power/technology.h"

namespace heddle::power {

struct Place {
  std::size_t counter;  ///< index of a counter, or kCycles
  std::size_t unit;     ///< index among the units of the structure
};

struct BoundTerm {
  std::vector<Place> places;  ///< places of one unit are contiguous
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

/// An entry that prices nothing here because another technology owns its events. Without an entry: a table
/// that another table replaces.
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
