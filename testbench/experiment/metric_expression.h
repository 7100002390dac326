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
/// Expressions by name. Each may use those before it in the file.
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// Reads a string or a number. A name is first looked up in `definitions`. Throws Error (file, line, key)
  /// for syntax errors and unknown functions.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Returns the value for a run; base(...) refers to `base`. Returns NaN for a division by zero and for a
  /// missing run.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// The runs whose names `known` has. With only some runs, a definition may use names of others.
  enum class Runs { all, some };

  /// Throws Error for names and patterns that match nothing in `known`. A name that only some runs lack has
  /// the value 0 there.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// A definition that this expression uses, directly or through others.
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< each before the definitions that use it
};

}  // namespace heddle::experiment
