#pragma once

// Integer and floating-point expressions of launch files, over named values and loop indices
// (docs/formats/launch.md), on the engine of models/core/expression.h. Parsed once, evaluated at every step
// that needs them.

#include <cstdint>
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

/// Names that an expression may use; the innermost wins nothing, since names are unique.
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
  /// "n, width", for messages.
  std::string known() const;

 private:
  std::vector<std::pair<std::string, Number>> names_;
};

class Expression {
 public:
  Expression() = default;

  /// From a number or a string. Throws Error (file, line, key) for syntax errors and names that `names` does
  /// not have. An integer expression knows no literals with a fraction.
  static Expression integer(const ConfigNode& node, const Scope& names);
  static Expression real(const ConfigNode& node, const Scope& names);
  static Expression constant(std::int64_t value);

  /// Value of an integer expression within low..high; throws Error that names the expression, its value and
  /// the range.
  std::int64_t evaluate(const Scope& scope, std::int64_t low, std::int64_t high) const;
  /// Value of a floating-point expression.
  double evaluate_real(const Scope& scope) const;
  /// Bits of an element of `type`, range-checked.
  std::uint64_t evaluate_bits(const Scope& scope, ElementType type) const;
  /// Value of either kind.
  Number evaluate_number(const Scope& scope) const;

  const std::string& where() const { return where_; }

 private:
  static Expression make(const ConfigNode& node, const Scope& names, bool real);
  WideInteger evaluate_wide(const Scope& scope) const;

  FlatExpression flat_;
  bool real_ = false;
  std::string where_;
};

}  // namespace heddle::launch
