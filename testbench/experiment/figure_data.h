#pragma once

// Computes a figure's values from the results of an experiment.

#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_table.h"
#include "testbench/experiment/published.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

struct LongValue {
  std::string kernel, variant, value, metric;
  double number = 0;
  bool refused = false;
  std::optional<LeaveOneOut> range = std::nullopt;  ///< leave-one-out range of a mean over few kernels
};

/// A published number and the measured value with which it is compared.
struct Comparison {
  std::string id;
  int item = -1;
  double measured = 0;
  std::optional<LeaveOneOut> range = std::nullopt;  ///< leave-one-out range of a mean over few kernels
  std::string measured_text;
  std::string what;  ///< name of the measured value, such as "conventional, INT"
  /// position of the measured number in the figure's table; -1 if the table does not show it
  int row = -1, column = -1;
};

/// The points of one kernel in a scatter plot (one for each sweep value), and the correlation of their x and
/// y. Without a sweep, one Cloud has one point for each kernel.
struct Cloud {
  std::string kernel;
  std::vector<double> x, y;
  std::vector<std::string> labels;
  double correlation = 0;
};

struct FigureData {
  const Figure* figure = nullptr;
  std::string error;
  Table table;
  std::vector<LongValue> values;
  std::vector<std::string> kernels;
  /// Kernels left out of the means, with the reason, such as "bfs (no value)".
  std::vector<std::string> left_out;
  std::vector<Cloud> clouds;
  std::vector<Comparison> comparisons;
  /// One line for each published ranking. The line says whether the measured values have the published order.
  std::vector<std::string> orders;
  /// one line for each variant and sweep value whose techniques cannot be combined
  std::vector<std::string> refusals;
  Table explained;
};

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results);

/// Returns Pearson's r; NaN for fewer than two points, or if x or y is constant.
double correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace heddle::experiment
