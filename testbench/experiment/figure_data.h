#pragma once

// Computes a figure's values from the results of an experiment.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_table.h"
#include "testbench/experiment/published.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

/// One value with all its coordinates. `kernel` is "mean" for means.
struct LongValue {
  std::string kernel, variant, value, metric;
  double number = 0;
  bool refused = false;
};

/// A published figure and the measured value next to it.
struct Comparison {
  std::string id;
  int item = -1;
  double measured = 0;
  std::string measured_text;  ///< text that is shown instead of the measured number, if not empty
  std::string what;           ///< where the measured number stands, such as "conventional, INT"
  /// Row and column in the figure's table; -1 if the table does not show the number.
  int row = -1, column = -1;
};

/// Points of one kernel in a scatter plot (or of all kernels if the figure has no sweep), and the correlation
/// of their x and y.
struct Cloud {
  std::string kernel;
  std::vector<double> x, y;
  std::vector<std::string> labels;  ///< labels of the points
  double correlation = 0;           ///< Pearson's r; NaN if x or y is constant
};

struct FigureData {
  const Figure* figure = nullptr;
  std::string error;  ///< reason why there is no figure; empty if there is one
  Table table;
  std::vector<LongValue> values;
  std::vector<std::string> kernels;   ///< names of the kernels over which means are taken
  std::vector<std::string> left_out;  ///< kernels that the means leave out, such as "bfs (no value)"
  std::vector<Cloud> clouds;
  std::vector<Comparison> comparisons;
  std::vector<std::string> orders;  ///< one line for each published order
  /// One line for each variant and value of the sweep whose techniques refuse each other, with the reason.
  std::vector<std::string> refusals;
  Table explained;
};

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results);

/// Returns Pearson's r; NaN for fewer than two points, or if x or y is constant.
double correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace heddle::experiment
