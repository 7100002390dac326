#pragma once

// Estimates what the runs of an experiment cost, from finished runs in its folder, and cuts them into shares
// of about equal cost.

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
  /// CPU-seconds of each remaining run: mean of finished runs of its launch file, or of all finished runs; 1
  /// without any.
  std::vector<double> seconds;
  std::size_t known = 0;     ///< finished runs with a known CPU time
  double known_seconds = 0;  ///< their CPU-seconds
};
/// Costs of the points that are not refused.
ExpectedCosts expected_costs(const Plan& plan, const std::string& folder);
/// "3 of 40 runs are to be made, about 0.2 CPU-hours by 37 that were"
std::string cost_text(const ExpectedCosts& costs, std::size_t runs);

/// "runs 40, made 37 in 1234.5 CPU-seconds, to be made 3 in about 100.0": for programs. A question mark
/// stands for the cost of the remaining runs if no finished run is known.
std::string cost_line(const ExpectedCosts& costs, std::size_t runs);

/// Shares of about equal cost, numbered from 1: assigns the longest run first, each to the share with the
/// least cost so far.
std::vector<int> shares_of(const std::vector<double>& costs, int shares);

/// Division of the folder's runs into shares; --shard K/N uses it from then on.
std::string cut_file_of(const std::string& folder, int shares);
/// Divides the missing runs. Returns the shares with runs to make, sorted. Throws Error if the folder cannot
/// be written to.
std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs);
/// Shares by the names of points; empty without a division. Throws Error for a malformed file.
std::map<std::string, int> read_cut(const std::string& folder, int shares);

}  // namespace heddle::experiment
