#pragma once

// The one expression engine: numbers of launch files, metrics of experiments, coefficients of technologies.
// It compiles a text (or a tree, step by step) to a flat program. Parsing and evaluation do not recurse, so
// the number of terms and brackets is limited by memory only.
//
// Grammar, loosest first, as in C: | & == < <= > >= << >> + - * % unary - + A value is a number, a name,
// (...), function(..., ...), lookup('pattern') or name[element]. The rules of each use say which of these are
// allowed.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/number.h"

namespace heddle {

struct ExpressionRules {
  enum class Arithmetic {
    integers,   ///< exact, within 64 bits; no fractions
    mixed,      ///< integers stay exact, but a division has a fraction; fractions as IEEE has them
    host,       ///< as in C: integers stay exact and their division truncates; fractions as IEEE has them
    undefined,  ///< fractions; what is divided by zero is not a number, and so is what follows from it
    defined,    ///< fractions; division by zero is an error
  };
  Arithmetic arithmetic = Arithmetic::undefined;
  bool bits = false;                   ///< % << >> & |
  bool comparisons = false;            ///< 1 or 0
  bool dots = false;                   ///< names may hold dots
  bool infinities = false;             ///< inf and nan are numbers
  bool elements = false;               ///< name[index]
  std::vector<std::string> functions;  ///< of min, max, if, sqrt, exp, log, trunc
  std::vector<std::string> lookups;    ///< functions of a pattern in single quotes
  std::string elsewhere;               ///< function whose argument is worked out at another place: "base"
};

/// A name or pattern that an expression refers to.
struct ExpressionUse {
  std::string name;
  std::string lookup;      ///< of a pattern: which function; else empty
  bool elsewhere = false;  ///< inside of base(...)
  bool element = false;    ///< name[index]
};

/// Values by position after the names.
class ExpressionValues {
 public:
  virtual ~ExpressionValues() = default;
  virtual Number value(const ExpressionUse& use) = 0;
  /// name[index]
  virtual Number element(const ExpressionUse& use, const Number& index);
  /// A function of a tree: a table at a point.
  virtual double call(const std::string& function, const std::vector<double>& arguments);
  /// True if there is another place; without one, values computed there are NaN.
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

  /// Throws Error (where, the text, what is allowed). `rules` outlives the expression.
  static FlatExpression parse(const std::string& text, const std::string& where,
                              const ExpressionRules& rules);

  // For trees: operands first, then what is done with them.
  void push(Number constant);
  void push(ExpressionUse use);
  void push(ExpressionOp op) { steps_.push_back({op, 0, 0}); }
  void push_element(ExpressionUse use);
  void push_call(const std::string& function, std::size_t arguments);

  /// Throws Error where the rules say so.
  Number evaluate(ExpressionValues& values) const;

  const std::vector<ExpressionUse>& uses() const { return uses_; }
  bool uses_elsewhere() const;
  const std::string& text() const { return text_; }
  const std::string& where() const { return where_; }
  /// Where and what it is, for messages.
  std::string place() const;
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const;

 private:
  struct Step {
    ExpressionOp op;
    std::uint32_t index;      ///< of the constant, use or function
    std::uint32_t arguments;  ///< of a call
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

/// Text of an integer of 64 bits.
std::string to_text(WideInteger value);

}  // namespace heddle
