#pragma once

// An expression over the counters, metrics and energies of a run (docs/experiments.md), such as
// "100 * (cycles / base(cycles) - 1)". An experiment file names expressions under "define"; other expressions may use
// these names.

#include <map>
#include <memory>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression;
/// Named expressions of an experiment file. Each may use the names defined before it.
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// Reads an expression (a string or a number). A name in the expression means a definition if there is one,
  /// otherwise a value of the run. Throws Error (file, line, key) for syntax errors and unknown functions.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Returns the value of the expression for a run. Names inside base(...) have the values of the run `base`.
  /// Returns NaN after a division by zero, or if a run is missing.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// Whether the names that check_names() knows come from all runs or only from some. With `some`, an
  /// expression may use names that only missing runs have.
  enum class Runs { all, some };

  /// Throws Error if a name or pattern of the expression matches nothing in `known`. If only this run lacks a
  /// name that other runs have, the name has the value 0.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// named definitions that this expression uses, directly or through other definitions
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< Each definition stands before the definitions that use it.
};

}  // namespace heddle::experiment
