#pragma once

// Integer and floating-point expressions of launch files. Such an expression may use named values and loop
// indices (docs/formats/launch.md). An expression is parsed once, and evaluated at every step that uses it.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/config_node.h"
#include "models/core/expression.h"
#include "testbench/launch/element_type.h"

namespace heddle::launch {

using heddle::Number;
using heddle::WideInteger;

/// Text in a drafted launch file that marks a value which the user must give.
inline constexpr std::string_view kToFillIn = "?";

/// Names that an expression may use, with their values. The index of an inner loop cannot have the name of an outer
/// loop's index.
class Scope {
 public:
  void add(std::string name, Number value) { names_.emplace_back(std::move(name), value); }
  void remove_last() { names_.pop_back(); }
  void set_last(Number value) { names_.back().second = value; }
  const Number* find(std::string_view name) const {
    for (const auto& [known, value] : names_)
      if (known == name) return &value;
    return nullptr;
  }
  void set(std::string_view name, Number value) {
    for (auto& [known, old] : names_)
      if (known == name) old = value;
  }
  std::vector<std::string> names() const;
  /// Returns the names of the variables for error messages, such as "n, width".
  std::string known() const;

 private:
  std::vector<std::pair<std::string, Number>> names_;
};

/// Gives access to elements of buffers, for expressions that are evaluated between launches, on the host.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  /// Returns an element. Throws Error, which names `where`, if the index is outside of the buffer.
  virtual Number element(const std::string& buffer, const Number& index, const std::string& where) const = 0;
};

/// Returns the number as the bits of an element. Throws Error if the number does not fit the type.
std::uint64_t bits_of_number(const Number& number, ElementType type, const std::string& where);

class Expression {
 public:
  Expression() = default;

  /// Parse an expression, which is a number or a string. Throw Error (file, line, key) for syntax errors and
  /// unknown names. An integer expression cannot have literals with a fraction.
  static Expression integer(const ConfigNode& node, const Scope& names);
  static Expression real(const ConfigNode& node, const Scope& names);
  /// Parses an expression that is evaluated on the host by the rules of C. The expression may contain
  /// elements of `buffers`, comparisons and functions.
  static Expression host(const ConfigNode& node, const Scope& names, const std::vector<std::string>& buffers);
  static Expression constant(std::int64_t value);

  /// Evaluates the expression and returns its value. Throws Error, which names expression, value and range,
  /// if the value is not in low..high.
  std::int64_t evaluate(const Scope& scope, std::int64_t low, std::int64_t high) const;
  double evaluate_real(const Scope& scope) const;
  /// Evaluates the expression and returns its value as the bits of an element of `type`. Throws Error if the
  /// value does not fit.
  std::uint64_t evaluate_bits(const Scope& scope, ElementType type) const;
  Number evaluate_number(const Scope& scope) const;
  Number evaluate_host(const Scope& scope, const ElementSource& elements) const;

  const std::string& where() const { return where_; }

 private:
  static Expression make(const ConfigNode& node, const Scope& names, bool real);
  WideInteger evaluate_wide(const Scope& scope) const;

  FlatExpression flat_;
  bool real_ = false;
  std::string where_;
};

}  // namespace heddle::launch
