#pragma once

// What an experiment computes from a run: an expression over its counters, metrics and energy entries
// (docs/experiments.md), such as "100 * (cycles / base(cycles) - 1)".

#include <memory>
#include <string>
#include <vector>

#include "models/core/config_node.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression {
 public:
  MetricExpression() = default;
  /// From a string or a number. Throws Error (file, line, key) for syntax errors and unknown functions.
  explicit MetricExpression(const ConfigNode& node);

  /// Value for a run; `base` is the run that base(...) looks at. Not a number where the value is undefined: a
  /// division by zero, a run that is missing.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// Throws Error for names and patterns that fit nothing in `known`: a name may be missing in a run (0
  /// there), but not in all of them.
  void check_names(const PointValues& known) const;

  bool uses_base() const;
  const std::string& text() const { return text_; }
  const std::string& where() const { return where_; }

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::string text_, where_;
};

}  // namespace heddle::experiment
