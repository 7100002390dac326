#pragma once

// Lists the parts of the machine that an account does not price, so that every sum states what it leaves out.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "power/bound_account.h"
#include "power/counter_index.h"

namespace heddle::power {

/// What is priced of the counters of one GPU.
struct Coverage {
  const CounterIndex& index;
  std::vector<bool> groups;                           ///< of the index: an entry prices their events
  std::set<std::pair<std::string, bool>> structures;  ///< and whether it is their leakage
};

NotPriced find_not_priced(const Coverage& coverage);

/// Units that do not come with Heddle, and of which nothing prices anything: one text a kind of unit, with its
/// counters.
std::vector<std::string> find_free_units(const Coverage& coverage);

}  // namespace heddle::power
