#pragma once

// Expression over a run's counters, metrics and energy entries (docs/experiments.md), such as "100 * (cycles
// base(cycles) - 1)". Expressions under "define" have names that other expressions may use.

#include <map>
#include <memory>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression;
/// Expressions by name. Each may use those before it in the file.
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// Reads a string or a number. Throws Error (file, line, key) for syntax errors and unknown functions.
  /// Looks names up in the present `definitions` first.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Value for a run; base(...) refers to `base`. NaN for an undefined value: a division by zero, a missing
  /// run.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// Runs that `known` represents. With only some runs, a definition may use names of others.
  enum class Runs { all, some };

  /// Throws Error for names and patterns that match nothing in `known`. A name may be missing in some runs
  /// (its value is 0), but not in all.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// Definitions that this expression uses, directly or through others.
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< each before the definitions that use it
};

}  // namespace heddle::experiment
