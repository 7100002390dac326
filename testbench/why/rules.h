#pragma once

// Reads and evaluates the rules of heddle why (docs/formats/rules.md). Every issue slot has a reason, such as
// "memory". A rule explains, in words, a part of the slots that have certain reasons.

#include <string>
#include <vector>

#include "models/core/expression.h"
#include "testbench/why/run_figures.h"

namespace heddle::why {

/// A text with values, such as "{gpu.sms - launch.ctas} of {gpu.sms} SMs have no CTA ({share:%})". A value is
/// an expression in braces. ":%" after the expression prints a percentage; a number, as in ":2", sets how
/// many decimals are printed.
class RuleText {
 public:
  RuleText() = default;
  /// Parses a text with values. Throws Error, which names `where`, if a brace is never closed or an
  /// expression is invalid.
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
  /// Reasons of issue slots, such as "memory", "no-warp" or "issued". The rule can explain the slots with
  /// these reasons: first those with the first reason of this list, then those with the second.
  std::vector<std::string> of;
  FlatExpression when;  ///< condition: the rule holds if the value is not 0
  /// Share of all issue slots that the rule explains. This share is limited to the share that earlier rules
  /// have not explained.
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

/// Reads a file of rules. Throws Error (file, line, key) for unknown keys, missing texts and invalid
/// expressions.
RuleSet read_rules(const std::string& file);
/// Returns the rules of configs/rules/default.json and, unless `own_file` is empty, of this file of the user.
/// The user's rules come first. The user's rules and values replace default rules and values of the same
/// names.
RuleSet rules_with(const std::string& own_file);

/// Computes the values that a set of rules defines, for one launch, and stores them in `figures`.
void define_values(const RuleSet& set, RunFigures& figures);

/// Evaluates an expression of a rule. Errors name the file and the line of the rule.
double evaluate(const FlatExpression& expression, RunFigures& figures);

}  // namespace heddle::why
