#pragma once

// Estimates the CPU time (cost) of an experiment's runs from finished runs in the experiment's folder, and
// divides the runs into shares of about equal cost.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "testbench/experiment/plan.h"

namespace heddle::experiment {

/// Adds the CPU time of this process, which has executed one run, to the file "costs" in the folder.
void write_cost(const std::string& folder, const Plan& plan, std::size_t point);

struct ExpectedCosts {
  std::vector<std::size_t> missing;
  /// estimated CPU-seconds of each missing run: the mean over finished runs of the same launch file; without
  /// such runs, the mean over all finished runs; 1 if no run is finished
  std::vector<double> seconds;
  std::size_t known = 0;
  double known_seconds = 0;
};
ExpectedCosts expected_costs(const Plan& plan, const std::string& folder);
/// Returns a sentence such as "3 of 40 runs are to be made, about 0.2 CPU-hours by 37 that were". (37
/// finished runs give the estimate.)
std::string cost_text(const ExpectedCosts& costs, std::size_t runs);

/// Returns a line for programs, such as "runs 40, made 37 in 1234.5 CPU-seconds, to be made 3 in about
/// 100.0"; "?" if no run is finished.
std::string cost_line(const ExpectedCosts& costs, std::size_t runs);

/// Divides runs into shares of about equal cost and returns each run's share, from 1. Assigns the runs from
/// the most to the least expensive, each to the share with the lowest cost so far.
std::vector<int> shares_of(const std::vector<double>& costs, int shares);

/// Returns the path of the file that assigns the folder's runs to shares (`heddle experiment --shard K/N`).
std::string cut_file_of(const std::string& folder, int shares);
/// Assigns the missing runs to shares and writes the assignment. Returns the sorted numbers of the shares
/// that have at least one run. Throws Error if the folder cannot be written to.
std::vector<int> write_cut(const Plan& plan, const std::string& folder, int shares,
                           const ExpectedCosts& costs);
/// Reads the file that write_cut() has written. Returns the number of each run's share, by the run's name;
/// empty if there is no such file. Throws Error for a malformed file.
std::map<std::string, int> read_cut(const std::string& folder, int shares);

}  // namespace heddle::experiment
