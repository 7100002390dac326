#pragma once

// Numerical expressions, for launch files, metrics of experiments and coefficients of energy technologies. An
// expression is compiled to a list of operations. Parsing and evaluation use no recursion, so that only memory
// limits the number of terms and brackets.
//
// Operators from the lowest to the highest precedence, as in C: (|), (&), (==), (< <= > >=), (<< >>), (+ -),
// (* %), unary (+ -). An operand is a number, a name, (...), function(..., ...), lookup('pattern') or
// name[element]. ExpressionRules selects which of these are allowed.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/number.h"

namespace heddle {

struct ExpressionRules {
  enum class Arithmetic {
    integers,  ///< Exact 64-bit integers; fractions are not allowed.
    /// Integers are exact. A division of integers gives a fraction. Fractions follow IEEE 754.
    mixed,
    /// As in C: integers are exact, and a division of integers truncates. Fractions follow IEEE 754.
    host,
    undefined,  ///< Floating-point numbers; a division by zero gives NaN.
    defined,    ///< Floating-point numbers; a division by zero is an error.
  };
  Arithmetic arithmetic = Arithmetic::undefined;
  bool bits = false;         ///< Allows the operators % << >> & |.
  bool comparisons = false;  ///< Allows comparisons, whose result is 1 or 0.
  bool dots = false;         ///< Allows dots in names.
  bool infinities = false;   ///< Allows the numbers inf and nan.
  bool elements = false;     ///< Allows array elements, name[index].
  /// Allowed functions, a selection of min, max, if, sqrt, exp, log and trunc.
  std::vector<std::string> functions;
  std::vector<std::string> lookups;  ///< Allowed functions whose argument is a pattern in single quotes.
  /// Name of a function, such as "base", that evaluates its argument with the values of another run.
  std::string elsewhere;
};

struct ExpressionUse {
  std::string name;
  std::string lookup;
  bool elsewhere = false;  ///< True for names in base(...): the value comes from another run.
  bool element = false;    ///< The name is an array with an index: name[index].
};

class ExpressionValues {
 public:
  virtual ~ExpressionValues() = default;
  virtual Number value(const ExpressionUse& use) = 0;
  virtual Number element(const ExpressionUse& use, const Number& index);
  /// Returns the value of the function `function` for the given arguments, for example a look-up in a table.
  /// push_call() has added the function to the expression.
  virtual double call(const std::string& function, const std::vector<double>& arguments);
  /// Returns true if another run supplies the values of names in functions such as base(...). If not, these
  /// names have the value NaN.
  virtual bool has_elsewhere() const { return true; }
};

enum class ExpressionOp : std::uint8_t {
  constant,
  use,
  element,
  call,
  elsewhere,
  negate,
  add,
  sub,
  mul,
  div,
  rem,
  shl,
  shr,
  and_,
  or_,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  min,
  max,
  choose,
  square_root,
  exponential,
  logarithm,
  truncate,
};

class FlatExpression {
 public:
  FlatExpression() = default;
  FlatExpression(std::string text, std::string where, const ExpressionRules& rules)
      : rules_(&rules), text_(std::move(text)), where_(std::move(where)) {}

  /// Compiles the text of an expression. `rules` must outlive the expression. Throws Error for an invalid
  /// or forbidden text. The error names `where`, the text and what is allowed.
  static FlatExpression parse(const std::string& text, const std::string& where,
                              const ExpressionRules& rules);

  // Build an expression without a text: push the operands, then their operator.
  void push(Number constant);
  void push(ExpressionUse use);
  void push(ExpressionOp op) { steps_.push_back({op, 0, 0}); }
  void push_element(ExpressionUse use);
  void push_call(const std::string& function, std::size_t arguments);

  /// Computes the value of the expression. Throws Error for operations that the rules forbid, such as a
  /// division by zero.
  Number evaluate(ExpressionValues& values) const;

  const std::vector<ExpressionUse>& uses() const { return uses_; }
  bool uses_elsewhere() const;
  const std::string& text() const { return text_; }
  const std::string& where() const { return where_; }
  std::string place() const;
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const;

 private:
  struct Step {
    ExpressionOp op;
    std::uint32_t index;
    std::uint32_t arguments;
  };
  Number apply(ExpressionOp op, const Number& a, const Number& b) const;
  Number apply_function(ExpressionOp op, const Number& a) const;
  Number apply_integer(ExpressionOp op, WideInteger a, WideInteger b) const;
  double apply_real(ExpressionOp op, double a, double b) const;
  bool keeps_integers() const;

  const ExpressionRules* rules_ = nullptr;
  std::string text_, where_;
  std::vector<Step> steps_;
  std::vector<Number> constants_;
  std::vector<ExpressionUse> uses_;
  std::vector<std::string> functions_;
};

std::string to_text(WideInteger value);

}  // namespace heddle
