#pragma once

// Expressions for coefficients of technologies. An expression is one of
//   1.9                                            a number
//   {"value": 1.9, "source" | "assumed": "..."}    a number with its origin
//   "wire-pj-per-mm"                               an entry of the technology's "values"
//   {"config": "gpu.sm.max_warps", "or": EXPR}     a parameter of the run; "or" is used if it does not exist
//   {"config": ..., "select": {"split": EXPR, ..}} an expression selected by the value of a parameter
//   {"product": [EXPR, ...]}, {"sum": [...]}, {"difference": [a, b]}, {"quotient": [a, b]}
//   {"table": "l1-read-pj", "at": [EXPR, ...]}     an entry of the technology's "tables", with one value per axis
//   {"price": "sm*.partition*.register_port.reads"} the plain machine's price for an event of this counter, by the
//                                                  technologies that own it in this account
// and may have "source", "assumed" or "doc". In paths, a part of a list is selected by its position or type:
// "gpu.sm.register_file.stages[register-cache].ways".

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

/// Range of a named value, published or assumed.
struct Range {
  double low = 0, nominal = 0, high = 0;
  std::string of;  ///< description for readers: "leakage of FP units"
};

/// Names that expressions of one technology may use.
struct Definitions {
  std::map<std::string, ConfigNode> values;
  std::map<std::string, Range> ranges;  ///< for the values that have a range
  std::map<std::string, LookupTable> tables;
};

/// Throws Error if the node is no expression, or if it uses an undefined name.
void check_expression(const ConfigNode& node, const Definitions& definitions);

/// Evaluates checked expressions for one configuration (the tree of a run's parameters), with the engine of
/// models/core/expression.h. Each named value is evaluated once.
class Coefficients : private ExpressionValues {
 public:
  /// Value of {"price": PATTERN}.
  using PriceOf = std::function<double(const std::string& pattern)>;

  /// The arguments must outlive this object. Without `price_of`, a price is an error.
  Coefficients(const Definitions& definitions, const ConfigNode& configuration, PriceOf price_of = {})
      : definitions_(definitions), configuration_(configuration), price_of_(std::move(price_of)) {}

  /// Throws Error for parameters that do not exist or are no numbers, points outside of tables, values that
  /// depend on themselves, and division by zero.
  double value(const ConfigNode& node);

  /// Returns the points far outside of tables that were read so far: "array-read-pj: entries = 192 (1 to
  /// 64)".
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
  std::string where_;  ///< location of the expression being evaluated, for messages
};

/// Evaluates a single expression.
double evaluate(const ConfigNode& node, const Definitions& definitions, const ConfigNode& configuration);

/// Returns the parameter by path, or nullptr.
const ConfigNode* find_parameter(const ConfigNode& configuration, const std::string& path);

}  // namespace heddle::power
