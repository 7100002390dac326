#pragma once

// Lists the structures that have no energy price in an account, so that every report can state which
// structures its sums omit.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/arrays.h"
#include "power/bound_account.h"
#include "power/counter_index.h"
#include "power/storage.h"

namespace heddle::power {

/// Counters and structures (consumers of energy) that have a price in an account.
struct Coverage {
  const CounterIndex& index;
  /// For each CounterGroup (one counter in all SMs) of `index`: true if the account prices its events.
  std::vector<bool> groups;
  /// Names of structures with a price. The flag is true for a price of leakage, and false for a price of
  /// dynamic energy.
  std::set<std::pair<std::string, bool>> structures;
  /// Like `structures` (same flag), but with the names under which the account reports the energy. The energy
  /// of a structure may be reported under another structure's name.
  std::set<std::pair<std::string, bool>> consumers;
  /// Structures of the machine that storage.h lists or that technologies declare.
  std::vector<MachinePart> parts;
};

NotPriced find_not_priced(const Coverage& coverage);

/// Adds to `missing` each array without a price, and each part that does not declare its arrays. Skips arrays
/// that name no structure: they belong to hardware that every SM has, which find_not_priced() reports.
void add_arrays_without_price(const Coverage& coverage, const ArrayList& arrays, NotPriced& missing);

/// Returns one text for each kind of plug-in unit without a priced counter. The text names the kind of unit
/// and the counters of these units.
std::vector<std::string> find_free_units(const Coverage& coverage);

}  // namespace heddle::power
