#pragma once

// Computes the differences in cycles and in energy between two runs of the same launches. The difference in
// cycles is a sum with one term for each cause of cycles. The difference in energy is a sum with one term for
// each structure.

#include <string>
#include <vector>

#include "testbench/comparison/comparison.h"
#include "testbench/why/causes.h"

namespace heddle::why {

struct Term {
  std::string name;           ///< name of the rule, reason or structure
  std::string text;           ///< explanation from the run with the larger value; may be empty
  double own = 0, other = 0;  ///< cycles (or nJ) of this term in the first and in the second run
  double difference() const { return own - other; }
};

struct Differences {
  std::vector<Term> cycles, energy;
};

/// Throws Error, which names the second run, unless both runs executed the same files and their energies were
/// computed with the same technologies.
void check_comparable(const comparison::Runs& runs);
/// Returns the terms of the two differences between the runs: cycles by cause, energy by structure.
Differences differences(const Causes& own, const Causes& other);

}  // namespace heddle::why
