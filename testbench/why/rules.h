#pragma once

// Rules of heddle why (docs/formats/rules.md). Every issue slot has a reason, such as "memory"; a rule
// explains a part of the slots of some reasons.

#include <string>
#include <vector>

#include "models/core/expression.h"
#include "testbench/why/run_figures.h"

namespace heddle::why {

/// A text with values: "{gpu.sms - launch.ctas} of {gpu.sms} SMs have no CTA ({share:%})". A value is an
/// expression. ":%" prints the value as a percentage; a number, as in ":2", sets the number of decimals.
class RuleText {
 public:
  RuleText() = default;
  /// Throws Error at `where` for a brace that is never closed and for a broken expression.
  RuleText(const std::string& text, const std::string& where);
  std::string fill(RunFigures& figures) const;
  bool empty() const { return parts_.empty(); }

 private:
  struct Part {
    std::string text;
    FlatExpression expression;  ///< expression of the value after `text`; none in the last part
    std::string form;           ///< format of the value: "", "%", or a number of decimals
    bool has_value = false;
  };
  std::vector<Part> parts_;
};

struct Rule {
  std::string name;
  /// Reasons of issue slots that the rule explains ("memory", "no-warp", "issued"). The rule takes the slots
  /// of the first reason first.
  std::vector<std::string> of;
  FlatExpression when;  ///< condition: the rule holds if the value is not 0
  /// Share of all issue slots that the rule explains, limited to what earlier rules have left unexplained.
  FlatExpression share;
  RuleText text, advice;
  bool useful = false;     ///< True: the slots are no loss (Cause::useful).
  FlatExpression decides;  ///< not 0: the cause comes before causes that are no loss
  std::string where;
};

struct NamedValue {
  std::string name;
  FlatExpression expression;
};

struct RuleSet {
  std::vector<NamedValue> values;
  std::vector<Rule> rules;
};

/// Reads a file of rules. Throws Error (file, line, key) for unknown keys, missing texts and broken
/// expressions.
RuleSet read_rules(const std::string& file);
/// Returns the rules of configs/rules/default.json and of the user's file `own_file`, if it is not empty. The
/// user's rules come first, and replace rules and values of the same names.
RuleSet rules_with(const std::string& own_file);

/// Sets the values of a set of rules for one launch.
void define_values(const RuleSet& set, RunFigures& figures);

/// Evaluates an expression of a rule. Errors name the rule's file and line.
double evaluate(const FlatExpression& expression, RunFigures& figures);

}  // namespace heddle::why
