#pragma once

// Expressions in technology files. An expression computes a price from the configuration of a run. An
// expression is one of
//   1.9                                            a number
//   {"value": 1.9, "source" | "assumed": "..."}    a number with its origin
//   "wire-pj-per-mm"                               an entry of the technology's "values"
//   {"config": "gpu.sm.max_warps", "or": EXPR}     a parameter of the run; "or": value if the run lacks it
//   {"config": ..., "select": {"split": EXPR, ..}} an expression selected by the value of a parameter
//   {"product": [EXPR, ...]}, {"sum": [...]}, {"difference": [a, b]}, {"quotient": [a, b]}
//   {"table": "l1-read-pj", "at": [EXPR, ...]}     an entry of "tables", with one value per axis
//   {"price": "sm*.partition*.register_port.reads"} price of an event of this counter on the machine without
//                                                 techniques, by the technologies of this account
// Each expression may also have "source", "assumed" or "doc". In the path of a parameter, an element of a
// list is selected by its position or type, for example "gpu.sm.register_file.stages[register-cache].ways".

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "power/lookup_table.h"

namespace heddle::power {

/// Range of a named value of a technology file, published or assumed.
struct Range {
  double low = 0, nominal = 0, high = 0;
  std::string of;  ///< description of the value for readers, for example "leakage of FP units"
};

/// Named values and tables that a technology file's expressions may use.
struct Definitions {
  std::map<std::string, ConfigNode> values;
  std::map<std::string, Range> ranges;
  std::map<std::string, LookupTable> tables;
};

/// Throws Error if the node is not an expression, or uses an undefined name.
void check_expression(const ConfigNode& node, const Definitions& definitions);

/// Evaluates a technology file's expressions for one configuration (the tree of a run's parameters). The
/// expressions must have passed check_expression(). Each named value is evaluated once.
class Coefficients : private ExpressionValues {
 public:
  /// Evaluates {"price": PATTERN}: returns the price of an event of the matching counters.
  using PriceOf = std::function<double(const std::string& pattern)>;

  /// The arguments must outlive this object. Without `price_of`, an expression with the key "price" is an
  /// error.
  Coefficients(const Definitions& definitions, const ConfigNode& configuration, PriceOf price_of = {})
      : definitions_(definitions), configuration_(configuration), price_of_(std::move(price_of)) {}

  /// Evaluates an expression. Throws Error for a division by zero, and for a look-up outside of a table.
  /// Throws Error for a value that depends on itself. Throws Error for a parameter that does not exist or is
  /// not a number.
  double value(const ConfigNode& node);

  /// Returns the look-ups that were far outside of a table, such as "array-read-pj: entries = 192 (1 to 64)".
  const std::set<std::string>& far_outside() const { return far_outside_; }

 private:
  FlatExpression compiled(const ConfigNode& node);
  void compile(const ConfigNode& node, FlatExpression& into);
  void compile_parameter(const ConfigNode& node, FlatExpression& into);
  Number value(const ExpressionUse& use) override;
  double call(const std::string& table, const std::vector<double>& at) override;

  const Definitions& definitions_;
  const ConfigNode& configuration_;
  PriceOf price_of_;
  std::map<std::string, double> known_;
  std::set<std::string> far_outside_;
  std::string where_;  ///< location of the expression that is being evaluated, for error texts
};

double evaluate(const ConfigNode& node, const Definitions& definitions, const ConfigNode& configuration);

/// Returns a parameter's value as text. If the value is a part (such as a scheduler), returns the part's
/// type. Conditions in technology files name values by this text.
std::string choice_text(const ConfigNode& node);

const ConfigNode* find_parameter(const ConfigNode& configuration, const std::string& path);

}  // namespace heddle::power
