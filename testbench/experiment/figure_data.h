#pragma once

// A figure's numbers, from the results of an experiment.

#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_table.h"
#include "testbench/experiment/published.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

/// One value with all its coordinates; `kernel` "mean" for means.
struct LongValue {
  std::string kernel, variant, value, metric;
  double number = 0;
  bool refused = false;
};

/// A published figure and its neighbour.
struct Comparison {
  std::string id;
  int item = -1;
  double measured = 0;
  std::string measured_text;  ///< instead of the number, if not empty
  std::string what;           ///< "conventional, INT"
  int row = -1, column = -1;  ///< in the table; -1 if it does not show there
};

/// The points of one kernel in a scatter, or of all of them where there is no sweep, and how x and y go
/// together.
struct Cloud {
  std::string kernel;
  std::vector<double> x, y;
  std::vector<std::string> labels;  ///< of the points
  double correlation = 0;           ///< Pearson; not a number where x or y does not vary
};

struct FigureData {
  const Figure* figure = nullptr;
  std::string error;  ///< why there is no figure; empty if there is
  Table table;
  std::vector<LongValue> values;
  std::vector<std::string> kernels;   ///< that the means are over
  std::vector<std::string> left_out;  ///< "bfs (no value)"
  std::vector<Cloud> clouds;
  std::vector<Comparison> comparisons;
  std::vector<std::string> orders;  ///< one line an order
  /// One line a variant, and value of the sweep, whose techniques refuse each other, with the reason.
  std::vector<std::string> refusals;
  Table explained;
};

FigureData evaluate(const Figure& figure, const ExperimentFile& file, const Results& results);

/// Pearson's r; not a number with fewer than two points, or where one of the two does not vary.
double correlation(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace heddle::experiment
