#pragma once

// Lists the parts of the machine that an account does not price, so that every sum states what it omits.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/bound_account.h"
#include "power/counter_index.h"

namespace heddle::power {

/// What an account prices of the counters of one GPU.
struct Coverage {
  const CounterIndex& index;
  std::vector<bool> groups;  ///< by group of the index: an entry prices its events
  /// Priced structures; true for their leakage, false for dynamic energy.
  std::set<std::pair<std::string, bool>> structures;
};

NotPriced find_not_priced(const Coverage& coverage);

/// Units from outside of Heddle of which nothing is priced: one text per kind of unit, with its counters.
std::vector<std::string> find_free_units(const Coverage& coverage);

}  // namespace heddle::power
