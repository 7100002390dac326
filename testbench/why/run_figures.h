#pragma once

// Holds the named values of a stored launch for the rules of heddle why (docs/formats/rules.md). The names
// are metrics and counters of the launch, "cycles", members of the launch in result.json such as
// "launch.ctas", and numbers of the configuration such as "gpu.sm.max_warps". counter('PATTERN') is the sum
// of the counters whose names match; sum('PATTERN') is the same, but 0 if no counter matches. metric('NAME')
// is a metric whose name is no identifier. number('PATH') is a number of the configuration or of the launch,
// such as number('launch.load_waits.share'), or 0 if there is none.

#include <map>
#include <string>

#include "models/core/config_node.h"
#include "models/core/expression.h"

namespace heddle::why {

class RunFigures : public ExpressionValues {
 public:
  /// Holds the values of `launch`, a launch of the result.json `result` with metrics and counters. Both must
  /// outlive this object.
  RunFigures(const ConfigNode& result, const ConfigNode& launch);

  /// Sets the value of a name that the rules themselves define, such as "share".
  void define(const std::string& name, double value) { defined_[name] = value; }

  /// Returns the value of a name in an expression. Throws Error if the run does not have this value.
  Number value(const ExpressionUse& use) override;
  double metric(const std::string& name) const;
  const ConfigNode& launch() const { return *launch_; }

 private:
  const double* find_defined(const std::string& name) const;

  const ConfigNode *result_, *launch_;
  std::map<std::string, double> defined_;
};

/// The operators, functions and names that expressions of rules may contain. The returned object lives until
/// the program ends.
const ExpressionRules& expression_rules();

}  // namespace heddle::why
