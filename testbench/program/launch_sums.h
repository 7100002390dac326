#pragma once

// Sums over a program's launches, for each kernel and in total.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/program/launch_row.h"

namespace heddle::program {

struct LaunchSum {
  std::string kernel;
  std::uint64_t launches = 0, timed = 0, checked = 0, different = 0, incomparable = 0, instructions = 0,
                cycles = 0;
  std::uint64_t findings = 0;
  /// Number of launches that failed, and of launches that did not run because an earlier launch had failed.
  std::uint64_t failed = 0, not_run = 0;
  double time_us = 0, energy_pj = 0, dynamic_pj = 0, baseline_pj = 0;
  bool energy = false;
  bool estimated = false;

  void add(const LaunchRow& row);
};

/// Returns the sums for each kernel, in the order of the kernels' first launches, and then the total.
std::vector<LaunchSum> sums_of(const std::vector<LaunchRow>& rows);

}  // namespace heddle::program
