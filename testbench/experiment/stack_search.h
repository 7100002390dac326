#pragma once

// Searches for the best stacks of variants (docs/experiments.md). Stacks of each size are built from the best
// stacks of the previous size.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

struct SearchStep {
  /// Stacks to run that are not variants of the file, by the names of their variants. Empty if the search has
  /// ended.
  std::vector<std::vector<std::string>> more;
  /// Result of a search that has ended, as in Additions::found.
  std::map<std::string, std::vector<std::string>> found;
};

/// Makes one step of the search from the results of all runs of its figure. Combines the best `keep` stacks
/// of a size by each goal (all, for size one) with every single variant. Stacks with a refused part, and
/// stacks that equal a smaller one because one variant contains another, are not tried. The search ends at
/// `up_to` variants, or at the first size that improves no goal. Equal results give equal steps.
SearchStep search_step(const Search& search, const ExperimentFile& file, const Results& results);

struct SearchProgress {
  Additions additions;    ///< results of all searches
  std::string waits_for;  ///< such as "search stacks, stacks of 3: 12 runs"; empty if all searches have ended
};

/// Runs the searches of a file in rounds, in the request's folder. With shares, a round begins after all
/// shares have finished the previous one. Results stay in the store. Throws Error, also for a stack that
/// breaks a law of the account (account_laws.h).
SearchProgress run_searches(const std::string& path, const std::string& size, const Additions& additions,
                            const RunRequest& request, const Share& share,
                            const std::shared_ptr<PointStore>& store);

}  // namespace heddle::experiment
