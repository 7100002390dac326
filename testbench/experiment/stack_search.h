#pragma once

// Searches for the best stacks (combinations) of variants (docs/formats/experiment.md). Stacks of n variants
// are built from the best stacks of n - 1 variants.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

struct SearchStep {
  /// Combinations that must run before the next call of search_step(), as lists of variant names. Leaves out
  /// combinations that are variants of the experiment file already. Empty if the search has ended.
  std::vector<std::vector<std::string>> more;
  std::map<std::string, std::vector<std::string>> found;
};

/// Makes one step of the search from the results of all runs so far. The first step combines every two
/// variants. Each later step takes the `keep` combinations that are best for a goal, and adds one variant to
/// each. A step leaves out combinations whose techniques cannot be combined, and combinations whose
/// configuration equals that of a smaller combination. The search ends at combinations of `up_to` variants,
/// or earlier if combinations with one more variant improve no goal. Equal results give equal steps.
SearchStep search_step(const Search& search, const ExperimentFile& file, const Results& results);

struct SearchProgress {
  Additions additions;
  /// Runs for which the searches wait, such as "search stacks, stacks of 3: 12 runs"; empty if all searches
  /// have ended.
  std::string waits_for;
};

/// Runs the searches of a file in rounds. If the runs are divided into shares, a round begins after all
/// shares have finished the previous round. The results stay in `store`. Throws Error, also if the energies
/// of a combination break a law of the account (account_laws.h).
SearchProgress run_searches(const std::string& path, const std::string& size, const Additions& additions,
                            const RunRequest& request, const Share& share,
                            const std::shared_ptr<PointStore>& store);

}  // namespace heddle::experiment
