#pragma once

// Computes a figure's values from the results of an experiment.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_table.h"
#include "testbench/experiment/published.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

/// One value of a figure with all its coordinates. `kernel` is "mean" for means.
struct LongValue {
  std::string kernel, variant, value, metric;
  double number = 0;
  bool refused = false;
};

/// A published number and the measured value with which it is compared.
struct Comparison {
  std::string id;
  int item = -1;
  double measured = 0;
  std::string measured_text;  ///< text that the report shows instead of a measured number, unless empty
  std::string what;           ///< description of the measured value, such as "conventional, INT"
  /// row and column of the measured number in the figure's table; -1 if the table does not show it
  int row = -1, column = -1;
};

/// The points of a scatter plot and the correlation of their x and y: the points of one kernel (one per sweep
/// value), or without a sweep the points of all kernels.
struct Cloud {
  std::string kernel;
  std::vector<double> x, y;
  std::vector<std::string> labels;  ///< names of the points: sweep values or kernels
  double correlation = 0;           ///< Pearson's r; NaN if x or y is constant
};

struct FigureData {
  const Figure* figure = nullptr;
  std::string error;  ///< reason why the figure could not be made; empty if it was
  Table table;
  std::vector<LongValue> values;
  std::vector<std::string> kernels;  ///< kernels over which means are taken
  /// Kernels that are left out of the means, with the reason, such as "bfs (no value)".
  std::vector<std::string> left_out;
  std::vector<Cloud> clouds;
  std::vector<Comparison> comparisons;
  /// One line of text for each published ranking: whether the measured values are in the published order.
  std::vector<std::string> orders;
  /// one line of text for each variant and sweep value whose techniques cannot be combined, with the reason
  std::vector<std::string> refusals;
  Table explained;
};

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results);

/// Returns Pearson's r; NaN for fewer than two points, or if x or y is constant.
double correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace heddle::experiment
