#pragma once

// Estimates the cost of an experiment's runs from finished runs in its folder, and divides the runs into
// shares of about equal cost.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"

namespace heddle::experiment {

/// Adds the CPU time of this process, which has made one run, to the file "costs" next to the results.
void write_cost(const std::string& folder, const Plan& plan, std::size_t point);

struct ExpectedCosts {
  std::vector<std::size_t> missing;  ///< runs that remain
  /// CPU-seconds of each remaining run: the mean of finished runs of its launch file, or of all finished
  /// runs. 1 if there are none.
  std::vector<double> seconds;
  std::size_t known = 0;     ///< finished runs with a known CPU time
  double known_seconds = 0;  ///< their CPU-seconds
};
/// Returns the costs of the points that are not refused.
ExpectedCosts expected_costs(const Plan& plan, const std::string& folder);
/// Returns text such as "3 of 40 runs are to be made, about 0.2 CPU-hours by 37 that were".
std::string cost_text(const ExpectedCosts& costs, std::size_t runs);

/// Returns text for programs, such as "runs 40, made 37 in 1234.5 CPU-seconds, to be made 3 in about 100.0".
/// The cost of the remaining runs is "?" if no finished run is known.
std::string cost_line(const ExpectedCosts& costs, std::size_t runs);

/// Returns the share of each run, from 1. The longest run is assigned first, each run to the share with the
/// least cost so far.
std::vector<int> shares_of(const std::vector<double>& costs, int shares);

/// Returns the file with the folder's division of runs into shares, which --shard K/N uses.
std::string cut_file_of(const std::string& folder, int shares);
/// Divides the missing runs. Returns the shares with runs to make, sorted. Throws Error if the folder cannot
/// be written to.
std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs);
/// Returns shares by the names of points; empty if there is no division. Throws Error for a malformed file.
std::map<std::string, int> read_cut(const std::string& folder, int shares);

}  // namespace heddle::experiment
