#pragma once

// Differences between two runs of the same launches, by cause and by structure. The terms sum to the
// difference between the runs.

#include <string>
#include <vector>

#include "testbench/why/causes.h"

namespace heddle::why {

struct Term {
  std::string name;           ///< name of the rule, reason or structure
  std::string text;           ///< explanation from the run with the larger value; may be empty
  double own = 0, other = 0;  ///< cycles (or nJ) of the first and of the second run
  double difference() const { return own - other; }
};

struct Differences {
  std::vector<Term> cycles, energy;  ///< terms, the largest magnitude first
};

/// Throws Error if the runs do not have the same launches, or price energy by different accounts.
void check_comparable(const ConfigNode& own, const ConfigNode& other, const std::string& where);
Differences differences(const Causes& own, const Causes& other);

}  // namespace heddle::why
