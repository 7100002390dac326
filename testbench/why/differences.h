#pragma once

// Differences between two runs of the same launches, one term for each cause and each structure. The sum of
// the terms is the difference between the runs.

#include <string>
#include <vector>

#include "testbench/comparison/comparison.h"
#include "testbench/why/causes.h"

namespace heddle::why {

struct Term {
  std::string name;           ///< name of the rule, reason or structure
  std::string text;           ///< explanation from the run with the larger value; may be empty
  double own = 0, other = 0;  ///< cycles (or nJ) of the first and of the second run
  double difference() const { return own - other; }
};

struct Differences {
  std::vector<Term> cycles, energy;
};

/// Throws Error, which names the second run, unless both runs executed the same files and were priced with
/// the same technologies.
void check_comparable(const comparison::Runs& runs);
/// Returns the difference of two runs, in terms for causes and structures.
Differences differences(const Causes& own, const Causes& other);

}  // namespace heddle::why
