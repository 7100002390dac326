#pragma once

// Rows of a program's table added up by kernel.

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/program/launch_row.h"

namespace heddle::program {

struct LaunchSum {
  std::string kernel;
  std::uint64_t launches = 0, timed = 0, checked = 0, different = 0, instructions = 0, cycles = 0;
  double time_us = 0, energy_pj = 0, dynamic_pj = 0, baseline_pj = 0;
  bool energy = false;
  bool estimated = false;  ///< of some launch not every CTA was timed

  void add(const LaunchRow& row);
};

/// By kernel in the order of their first launches, then all of them.
std::vector<LaunchSum> sums_of(const std::vector<LaunchRow>& rows);

}  // namespace heddle::program
