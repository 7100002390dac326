#pragma once

// Differences of two runs of the same launches by cause and by structure. The terms sum to the difference.

#include <string>
#include <vector>

#include "testbench/why/causes.h"

namespace heddle::why {

struct Term {
  std::string name;           ///< rule, reason or structure
  std::string text;           ///< sentence of the run in which the term is larger; may be empty
  double own = 0, other = 0;  ///< cycles, or nJ
  double difference() const { return own - other; }
};

struct Differences {
  std::vector<Term> cycles, energy;  ///< by magnitude, the largest first
};

/// Throws Error if the runs do not have the same launches, or price energy by different accounts.
void check_comparable(const ConfigNode& own, const ConfigNode& other, const std::string& where);
Differences differences(const Causes& own, const Causes& other);

}  // namespace heddle::why
