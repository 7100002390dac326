#pragma once

// The expression engine for numbers in launch files, metrics of experiments and coefficients of technologies.
// It compiles a text, or a tree step by step, to a flat program. Parsing and evaluation are not recursive, so
// only memory limits the number of terms and brackets.
//
// Operators from the lowest to the highest precedence, as in C: | & == < <= > >= << >> + - * % unary - + A
// value is a number, a name, (...), function(..., ...), lookup('pattern') or name[element]. ExpressionRules
// selects which of these are allowed.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/number.h"

namespace heddle {

struct ExpressionRules {
  enum class Arithmetic {
    integers,   ///< exact 64-bit integers, no fractions
    mixed,      ///< integers stay exact, but division gives a fraction; fractions follow IEEE
    host,       ///< as in C: integers stay exact and their division truncates; fractions follow IEEE
    undefined,  ///< fractions; division by zero gives NaN
    defined,    ///< fractions; division by zero is an error
  };
  Arithmetic arithmetic = Arithmetic::undefined;
  bool bits = false;                   ///< allow % << >> & |
  bool comparisons = false;            ///< allow comparisons, which give 1 or 0
  bool dots = false;                   ///< names may contain dots
  bool infinities = false;             ///< allow inf and nan
  bool elements = false;               ///< allow name[index]
  std::vector<std::string> functions;  ///< allowed functions out of min, max, if, sqrt, exp, log, trunc
  std::vector<std::string> lookups;    ///< allowed functions with a pattern in single quotes
  std::string elsewhere;               ///< function whose argument is evaluated for another run: "base"
};

/// A name or pattern in an expression.
struct ExpressionUse {
  std::string name;
  std::string lookup;      ///< for a pattern: its function; otherwise empty
  bool elsewhere = false;  ///< inside of base(...)
  bool element = false;    ///< name[index]
};

/// Provides the values of the names in an expression.
class ExpressionValues {
 public:
  virtual ~ExpressionValues() = default;
  virtual Number value(const ExpressionUse& use) = 0;
  /// Returns the value of name[index].
  virtual Number element(const ExpressionUse& use, const Number& index);
  /// Returns the value of a function in a tree: a table at a point.
  virtual double call(const std::string& function, const std::vector<double>& arguments);
  /// True if values for another run exist. Otherwise names inside of base(...) are NaN.
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

  /// Throws Error (where, the text, what is allowed). `rules` must outlive the expression.
  static FlatExpression parse(const std::string& text, const std::string& where,
                              const ExpressionRules& rules);

  // For trees: push the operands first, then their operator.
  void push(Number constant);
  void push(ExpressionUse use);
  void push(ExpressionOp op) { steps_.push_back({op, 0, 0}); }
  void push_element(ExpressionUse use);
  void push_call(const std::string& function, std::size_t arguments);

  /// Throws Error for operations that the rules forbid, such as a division by zero.
  Number evaluate(ExpressionValues& values) const;

  const std::vector<ExpressionUse>& uses() const { return uses_; }
  bool uses_elsewhere() const;
  const std::string& text() const { return text_; }
  const std::string& where() const { return where_; }
  /// Returns the location and text of the expression, for messages.
  std::string place() const;
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const;

 private:
  struct Step {
    ExpressionOp op;
    std::uint32_t index;      ///< index of the constant, use or function
    std::uint32_t arguments;  ///< number of arguments of a call
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

/// Returns the decimal text of an integer of up to 64 bits.
std::string to_text(WideInteger value);

}  // namespace heddle
