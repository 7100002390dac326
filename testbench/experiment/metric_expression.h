#pragma once

// Expression over a run's counters, metrics and energy entries (docs/experiments.md), such as
// "100 * (cycles / base(cycles) - 1)". Expressions under "define" have names that other expressions may use.

#include <map>
#include <memory>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression;
/// Named expressions. Each may use the expressions before it in the file.
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// Reads a string or a number. A name is first looked up in `definitions`. Throws Error (file, line, key)
  /// for syntax errors and unknown functions.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Returns the value of the expression for a run; base(...) refers to the run `base`. Returns NaN for a
  /// division by zero and for a missing run.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// The runs whose names `known` has. With only some runs, a definition may use
  /// names of runs that are missing.
  enum class Runs { all, some };

  /// Throws Error for names and patterns that match nothing in `known`. For a run that lacks a name which
  /// other runs have, the name has the value 0.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// Definitions that this expression uses, directly or through other definitions.
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< each definition before the definitions that use it
};

}  // namespace heddle::experiment
