#pragma once

// This file chooses the settings with which every kernel is run. An axis is a property of a run (scheduler,
// preset, registers, stages ...). A row has one value for every axis. By default, two to five rows run for
// each kernel. The rows are chosen such that, over all kernels, every pair of values of two different axes occurs
// together in some row (pairwise cover). To add an axis, add an entry to axes().

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/run/run_parameters.h"

namespace heddle::kernel_runs {

/// One value of an axis (a property that varies between runs). It consists of the stages, passes and
/// settings that the value adds to a run.
struct Value {
  std::string name;
  std::vector<std::string> sets;
  std::vector<std::string> stages, front_end_stages, passes;
  /// Stages to use in place of `stages` if all registers of a warp are in one bank (bank layout "wid"). All
  /// warps of a CTA may then use the same bank, which may be too small for them. These stages may therefore
  /// place registers in other banks.
  std::vector<std::string> stages_of_one_bank = {};
};

struct Axis {
  std::string name;
  std::vector<Value> values;
};

/// Returns all axes (properties that vary between runs). An axis that stands for a family of parts, such as
/// schedulers, has a value for every part.
const std::vector<Axis>& axes();
/// number of axes of which HEDDLE_FULL runs all combinations of values. These are the first axes: preset,
/// scheduler, registers, clean-up passes
inline constexpr std::size_t kProductAxes = 4;

/// for every axis, the index of the chosen value
using Row = std::vector<std::size_t>;

inline constexpr std::size_t kRowsPerKernel = 5;
/// Returns kRowsPerKernel rows for each kernel. If an axis has at most five values, every kernel gets all of
/// these values. The values of longer axes are distributed over the kernels.
std::vector<std::vector<Row>> pairwise_rows(std::size_t kernels);
/// Returns the rows that run by default: those of pairwise_rows() with a pair of values that no earlier row has,
/// and others until each kernel has `kLeastRows`.
inline constexpr std::size_t kLeastRows = 2;
std::vector<std::vector<Row>> default_rows(std::size_t kernels);
std::vector<Row> all_rows(std::size_t kernel);
/// Returns a row with the first value of each axis. If an axis has a value that `names` contains, the row has
/// this value instead of the first one.
Row row_of(const std::vector<std::string>& names);

run::RunParameters parameters_of(const Row& row, const std::string& launch);
std::string text_of(const Row& row);

}  // namespace heddle::kernel_runs
