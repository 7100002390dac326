#pragma once

// What the runs of an experiment cost, by those that have been made in its folder before, and shares of about equal cost.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"

namespace heddle::experiment {

/// Notes how long this process, of which a run is all that it does, has computed: in the folder's "costs", beside results.
void write_cost(const std::string& folder, const Plan& plan, std::size_t point);

struct ExpectedCosts {
  std::vector<std::size_t> missing;  ///< runs to be made
  /// CPU-seconds of each: what runs of the same launch file took in the mean, else what all did; 1 if nothing is known.
  std::vector<double> seconds;
  std::size_t known = 0;     ///< runs that have been made and say how long they took
  double known_seconds = 0;  ///< CPU-seconds that these took
};
/// Of the points that are not refused.
ExpectedCosts expected_costs(const Plan& plan, const std::string& folder);
/// "3 of 40 runs are to be made, about 0.2 CPU-hours by 37 that were"
std::string cost_text(const ExpectedCosts& costs, std::size_t runs);

/// "runs 40, made 37 in 1234.5 CPU-seconds, to be made 3 in about 100.0": for a program to read. With a question mark if nothing
/// says what the missing ones will cost.
std::string cost_line(const ExpectedCosts& costs, std::size_t runs);

/// Shares of about equal cost, from 1: the longest first, each to whoever has least so far.
std::vector<int> shares_of(const std::vector<double>& costs, int shares);

/// The folder's cut into so many shares: it holds for --shard K/N from then on.
std::string cut_file_of(const std::string& folder, int shares);
/// Cuts the missing runs, and gives the shares that have something to do, sorted. Throws Error if the folder cannot be written to.
std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs);
/// Shares by the names of points; empty if there is no cut. Throws Error for a file that is none.
std::map<std::string, int> read_cut(const std::string& folder, int shares);

}  // namespace heddle::experiment
