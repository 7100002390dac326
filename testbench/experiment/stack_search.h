#pragma once

// Searches for the best stacks (combinations) of variants (docs/experiments.md). Stacks of n variants are
// built from the best stacks of n - 1 variants.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

struct SearchStep {
  /// Stacks to run before the next step, as lists of variant names, without the file's own stacks. Empty if
  /// the search has ended.
  std::vector<std::vector<std::string>> more;
  std::map<std::string, std::vector<std::string>> found;
};

/// Makes one step of the search from the results of all runs of its figure. Combines every single variant
/// with all stacks of size one, or with the best `keep` larger stacks by each goal. Leaves out refused
/// combinations and stacks that equal a smaller stack. Ends at `up_to` variants, or at the first size that
/// improves no goal. Equal results give equal steps.
SearchStep search_step(const Search& search, const ExperimentFile& file, const Results& results);

struct SearchProgress {
  Additions additions;
  /// State of the searches, such as "search stacks, stacks of 3: 12 runs"; empty if all searches have ended.
  std::string waits_for;
};

/// Runs the searches of a file in rounds. With shares, a round begins after all shares have finished the
/// previous round. The results stay in the store. Throws Error, also for a stack that breaks a law of the
/// account (account_laws.h).
SearchProgress run_searches(const std::string& path, const std::string& size, const Additions& additions,
                            const RunRequest& request, const Share& share,
                            const std::shared_ptr<PointStore>& store);

}  // namespace heddle::experiment
