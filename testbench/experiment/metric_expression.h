#pragma once

// An expression over the counters, metrics and energies of a run (docs/experiments.md), such as "100 *
// (cycles / base(cycles) - 1)". Expressions may use names that "define" gives to other expressions.

#include <map>
#include <memory>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression;
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// Reads an expression from a JSON string or number. A name means a definition if there is one, otherwise a
  /// value of the run. Throws Error (file, line, key) for syntax errors and unknown functions.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Evaluates an expression for the run `own`. Names inside base(...) have the values of the run `base`.
  /// Returns NaN after a division by zero, or if a run is missing.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// Runs whose names check_names() gets: `all` runs of the experiment, or only `some`, because other runs
  /// are missing. With `some`, the names in definitions are not checked, because a missing run may have them.
  enum class Runs { all, some };

  /// Throws Error if a name or pattern matches nothing in `known`, the names of all `runs`. A name that only
  /// some runs have is allowed: evaluate() gives it the value 0 in the other runs.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  /// For a metric that is a share of an energy: returns the whole ("register file", "units" or "gpu"). The
  /// whole follows from the names inside base(...) or, for entries of `energy.shares`, from the entry's name.
  /// Empty for other metrics.
  std::string share_of() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// definitions that this expression uses, directly or through others
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< Each definition stands before the definitions that use it.
};

}  // namespace heddle::experiment
