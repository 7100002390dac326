#pragma once

// Lists the structures that have no energy price in an account, so that every report states what its sums
// omit.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/bound_account.h"
#include "power/counter_index.h"
#include "power/storage.h"

namespace heddle::power {

/// Counters and structures (consumers of energy) that have a price in an account.
struct Coverage {
  const CounterIndex& index;
  /// For each counter group of the index: true if the account prices its events.
  std::vector<bool> groups;
  /// Names of structures with a price. The flag tells the kind of price: true for leakage, false for dynamic
  /// energy.
  std::set<std::pair<std::string, bool>> structures;
  /// Structures of the machine: those of storage.h and those that technologies declare.
  std::vector<MachinePart> parts;
};

NotPriced find_not_priced(const Coverage& coverage);

/// Returns one text for each kind of plug-in unit without a priced counter. The text names the kind and its
/// counters.
std::vector<std::string> find_free_units(const Coverage& coverage);

}  // namespace heddle::power
