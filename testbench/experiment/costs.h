#pragma once

// Estimates the cost of an experiment's runs from finished runs in its folder, and divides the runs into
// shares of about equal cost.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"

namespace heddle::experiment {

/// Adds the CPU time of this process, which has made one run, to the file "costs" in the folder of the
/// results.
void write_cost(const std::string& folder, const Plan& plan, std::size_t point);

struct ExpectedCosts {
  std::vector<std::size_t> missing;  ///< positions of the runs that have no result yet
  /// CPU-seconds of each missing run: the mean over finished runs of its launch file, or else over all
  /// finished runs. The value is 1 if no run is finished.
  std::vector<double> seconds;
  std::size_t known = 0;     ///< finished runs with a known CPU time
  double known_seconds = 0;  ///< sum of the CPU-seconds of these finished runs
};
/// Returns the costs of the points that are not refused.
ExpectedCosts expected_costs(const Plan& plan, const std::string& folder);
/// Returns text such as "3 of 40 runs are to be made, about 0.2 CPU-hours by 37 that were".
std::string cost_text(const ExpectedCosts& costs, std::size_t runs);

/// Returns text for programs, such as "runs 40, made 37 in 1234.5 CPU-seconds, to be made 3 in about 100.0".
/// The cost of the remaining runs is "?" if no finished run is known.
std::string cost_line(const ExpectedCosts& costs, std::size_t runs);

/// Returns for each run the number of its share, from 1. Runs are assigned in order of cost, the longest
/// first. Each run goes to the share whose cost is lowest so far.
std::vector<int> shares_of(const std::vector<double>& costs, int shares);

/// Returns the path of the file that divides the folder's runs into shares. --shard K/N reads this file.
std::string cut_file_of(const std::string& folder, int shares);
/// Divides the missing runs into shares and writes the division. Returns the sorted numbers of the shares
/// that have runs to make. Throws Error if the folder cannot be written to.
std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs);
/// Returns the share of each point (run) by the point's name. Returns nothing if the folder has no division.
/// Throws Error for a malformed file.
std::map<std::string, int> read_cut(const std::string& folder, int shares);

}  // namespace heddle::experiment
