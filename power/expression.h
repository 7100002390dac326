#pragma once

// What a coefficient is made of. An expression is one of
//   1.9                                            a number
//   {"value": 1.9, "source" | "assumed": "..."}    a number with its origin
//   "wire-pj-per-mm"                               an entry of the technology's "values"
//   {"config": "gpu.sm.max_warps", "or": EXPR}     a parameter of the run; "or" where it does not exist
//   {"config": ..., "select": {"split": EXPR, ..}} one of several by the value of a parameter
//   {"product": [EXPR, ...]}, {"sum": [...]}, {"difference": [a, b]}, {"quotient": [a, b]}
//   {"table": "l1-read-pj", "at": [EXPR, ...]}     an entry of the technology's "tables", one value an axis
//   {"price": "sm*.partition*.register_port.reads"} what the plain machine pays for an event of this counter, by the
//                                                  technologies that own it in this account
// and may carry "source", "assumed" or "doc". A part of a list in a path is named by its position or its
// type: "gpu.sm.register_file.stages[register-cache].ways".

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

/// Between what ends the figure of a named value lies, by those who know it or as assumed.
struct Range {
  double low = 0, nominal = 0, high = 0;
  std::string of;  ///< what the value is, for readers: "leakage of FP units"
};

/// Names that expressions of one technology may use.
struct Definitions {
  std::map<std::string, ConfigNode> values;
  std::map<std::string, Range> ranges;  ///< of those values that have one
  std::map<std::string, LookupTable> tables;
};

/// Throws Error if this is not an expression, or if it uses a name that is not defined.
void check_expression(const ConfigNode& node, const Definitions& definitions);

/// Values of checked expressions for one configuration (the tree of a run's parameters), by the engine of
/// models/core/expression.h. A named value is worked out once, however many use it.
class Coefficients : private ExpressionValues {
 public:
  /// Value of {"price": PATTERN}.
  using PriceOf = std::function<double(const std::string& pattern)>;

  /// Both outlive this object. Without `price_of` a price is an error.
  Coefficients(const Definitions& definitions, const ConfigNode& configuration, PriceOf price_of = {})
      : definitions_(definitions), configuration_(configuration), price_of_(std::move(price_of)) {}

  /// Throws Error for parameters that do not exist or are not numbers, for points outside of tables, for
  /// values that are defined by themselves, and for division by zero.
  double value(const ConfigNode& node);

  /// Values far outside of tables that were read so far, "array-read-pj: entries = 192 (1 to 64)".
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
  std::string where_;  ///< of what is worked out, for messages
};

/// One value alone.
double evaluate(const ConfigNode& node, const Definitions& definitions, const ConfigNode& configuration);

/// A parameter by its path; nullptr if there is none.
const ConfigNode* find_parameter(const ConfigNode& configuration, const std::string& path);

}  // namespace heddle::power
