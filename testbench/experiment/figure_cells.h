#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "testbench/experiment/experiment_file.h"
#include "testbench/experiment/figure_table.h"
#include "testbench/experiment/results.h"

namespace heddle::experiment {

/// value of a cell whose run is missing or whose metric is undefined
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// A mean over fewer kernels than this number is shown with its leave-one-out range: lowest and highest mean
/// if one kernel is left out.
inline constexpr std::size_t kFewKernels = 20;

/// Returns the mean, minimum or maximum of `values`, as `kind` states; NaN without values.
double mean_of(const std::vector<double>& values, Mean kind);

struct Cell {
  static constexpr int kMean = -1;
  int kernel = kMean, variant = 0, value = 0, metric = 0;
  int& of(Dimension d) {
    return d == Dimension::kernel    ? kernel
           : d == Dimension::variant ? variant
           : d == Dimension::value   ? value
                                     : metric;
  }
};

class FigureCells {
 public:
  /// Prepares the cells of a figure's table. Throws Error if the figure names a metric or counter that no run
  /// has, or has no kernel.
  FigureCells(const Figure& figure, const ExperimentFile& file, const Results& results);

  /// Computes all cells and means. If a variant has no value for a kernel, leaves this kernel out of the
  /// means of all variants. This rule ignores variants whose techniques cannot be combined on any kernel.
  void fill();

  const Figure& figure() const { return figure_; }
  const std::vector<std::string>& kernels() const { return kernel_names_; }
  const std::vector<std::string>& value_labels() const { return value_labels_; }
  /// Returns the metrics of the figure; for a histogram, one for each bin.
  const std::vector<Metric>& metrics() const { return metrics_; }
  const Sweep* sweep() const;
  const std::vector<std::string>& left_out() const { return left_out_; }

  int variant(const std::string& name) const;
  int value(const std::string& label) const;
  int metric(const std::string& name) const;
  int kernel(const std::string& name) const;

  double at(const Cell& cell) const { return numbers_[index(cell)]; }
  /// Returns the leave-one-out range of a mean over 2 to kFewKernels - 1 kernels. Returns nothing if the cell
  /// is not such a mean, for example if it is a minimum or a maximum over kernels.
  std::optional<LeaveOneOut> range_of_mean(const Cell& mean) const;
  /// Returns true if the techniques of a cell's run cannot be combined. For a mean: if they can be combined
  /// on no kernel.
  bool is_refused(const Cell& cell) const;
  /// Returns "variant, value: reason" for each combination of techniques that is impossible on some kernel.
  std::vector<std::string> refusals() const;
  double number(const MetricExpression& expression, int kernel, int variant, int value) const;

  /// Return the size and the labels of a dimension of the table. In the dimension `kernel`, the mean over
  /// kernels comes last.
  int size_of(Dimension d) const;
  std::string label(Dimension d, int at) const;
  std::string mean_name() const;

 private:
  std::vector<Metric> bins() const;
  void choose_kernels();
  void average();
  /// Returns the values that a column's mean averages: one for each kernel that has a value in all variants.
  std::vector<double> averaged(Cell column) const;
  Place place_of(int kernel, int variant, int value) const;
  const PointValues* base_values(int kernel, int value) const;
  std::size_t index(const Cell& cell) const;
  int size_of_kernels() const { return static_cast<int>(kernels_.size()); }
  template <class Visit>
  void for_each_column(Visit visit) const;

  const Figure& figure_;
  const ExperimentFile& file_;
  const Results& results_;
  std::vector<Metric> metrics_;
  std::vector<int> kernels_, variants_;
  std::vector<std::string> kernel_names_, value_labels_, left_out_;
  int sweep_ = -1, relative_ = -1, relative_value_ = -1;
  std::vector<double> numbers_;
  /// by kernel and metric: true if the kernel has a value in all variants; means include only such kernels
  std::vector<bool> complete_;
};

}  // namespace heddle::experiment
