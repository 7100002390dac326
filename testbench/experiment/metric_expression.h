#pragma once

// What an experiment computes from a run: an expression over its counters, metrics and energy entries
// (docs/experiments.md), such as "100 * (cycles / base(cycles) - 1)". Expressions that stand under "define"
// have names, which others may use.

#include <map>
#include <memory>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/experiment/point_values.h"

namespace heddle::experiment {

class MetricExpression;
/// Expressions by name. Each may use those that stand before it in the file.
using Definitions = std::map<std::string, MetricExpression>;

class MetricExpression {
 public:
  MetricExpression() = default;
  /// From a string or a number. Throws Error (file, line, key) for syntax errors and unknown functions. Names
  /// are looked for among `definitions` first, as they are now.
  explicit MetricExpression(const ConfigNode& node, const Definitions& definitions = {});

  /// Value for a run; `base` is the run that base(...) looks at. Not a number where the value is undefined: a
  /// division by zero, a run that is missing.
  double evaluate(const PointValues& own, const PointValues* base) const;

  /// Which runs `known` stands for. Of some alone, a definition may name what only others have.
  enum class Runs { all, some };

  /// Throws Error for names and patterns that fit nothing in `known`: a name may be missing in a run (0
  /// there), but not in all of them.
  void check_names(const PointValues& known, Runs runs = Runs::all) const;

  bool uses_base() const;
  const std::string& text() const { return expression_->text(); }
  const std::string& where() const { return expression_->where(); }

 private:
  /// A definition that this expression uses, itself or through others.
  struct Named {
    std::string name;
    std::shared_ptr<const FlatExpression> expression;
  };
  std::shared_ptr<const FlatExpression> expression_;
  std::vector<Named> used_;  ///< each before those that use it
};

}  // namespace heddle::experiment
