#pragma once

// A search for the best stacks of variants (docs/experiments.md): from each alone upward, stacks of every size are made
// from the best of the size below.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

struct SearchStep {
  /// Stacks that are not among the file's variants and have to be run, by the names of their variants; empty where the
  /// search has ended.
  std::vector<std::vector<std::string>> more;
  /// Where it has ended: what it found, as Additions::found has it.
  std::map<std::string, std::vector<std::string>> found;
};

/// One step on the results of all runs of the search's figure. Of every size the best `keep` stacks by each goal (of size
/// one: all) are joined with every single variant; a stack one of whose parts is refused is not tried, nor one of whose
/// parts is another, smaller one again (what a variant holds, laid on beside it): all of its runs are those of that one. The search ends
/// with stacks of `up_to` variants, or with the size that betters no goal. Equal results give equal steps.
SearchStep search_step(const Search& search, const ExperimentFile& file, const Results& results);

struct SearchProgress {
  Additions additions;    ///< what all searches have come to
  std::string waits_for;  ///< "search stacks, stacks of 3: 12 runs"; empty where all searches have ended
};

/// Runs the searches of a file, round by round, in the folder of the request; of shares, a round begins when all have ended
/// the one before. Results are kept in the store. Throws Error, also for a stack for which a law of the account does not
/// hold (account_laws.h).
SearchProgress run_searches(const std::string& path, const std::string& size, const Additions& additions,
                            const RunRequest& request, const Share& share,
                            const std::shared_ptr<PointStore>& store);

}  // namespace heddle::experiment
