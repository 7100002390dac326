#include "testbench/launch/expression.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "models/core/error.h"
#include "models/core/unknown_name.h"

namespace heddle::launch {
namespace {

using Arithmetic = ExpressionRules::Arithmetic;

const ExpressionRules kIntegers = {.arithmetic = Arithmetic::integers,
                                   .bits = true,
                                   .functions = {"min", "max"},
                                   .lookups = {},
                                   .elsewhere = {}};
const ExpressionRules kReals = {.arithmetic = Arithmetic::mixed,
                                .bits = true,
                                .infinities = true,
                                .functions = {"min", "max"},
                                .lookups = {},
                                .elsewhere = {}};

const ExpressionRules kHost = {.arithmetic = Arithmetic::host,
                               .bits = true,
                               .comparisons = true,
                               .infinities = true,
                               .elements = true,
                               .functions = {"min", "max", "if", "sqrt", "exp", "log", "trunc"},
                               .lookups = {},
                               .elsewhere = {}};

/// Returns an integer of the JSON file. The JSON reader stores values above INT64_MAX as negative numbers;
/// this function makes them positive again.
WideInteger integer_of(const ConfigNode& node) {
  if (node.integer < 0 && node.number > 0) return static_cast<std::uint64_t>(node.integer);
  return node.integer;
}

[[noreturn]] void fail_of_name(const FlatExpression& expression, const std::string& name,
                               const Scope& known) {
  expression.fail("unknown name \"" + name + "\"" + did_you_mean(name, known.names()), known.known());
}

class ScopeValues : public ExpressionValues {
 public:
  ScopeValues(const Scope& scope, const FlatExpression& expression, bool real,
              const ElementSource* elements = nullptr)
      : scope_(scope), expression_(expression), real_(real), elements_(elements) {}
  Number value(const ExpressionUse& use) override {
    const Number* value = scope_.find(use.name);
    if (!value) fail_of_name(expression_, use.name, scope_);
    if (!real_ && !value->integral) expression_.fail("\"" + use.name + "\" is not an integer");
    return *value;
  }
  Number element(const ExpressionUse& use, const Number& index) override {
    return elements_->element(use.name, index, expression_.where());
  }

 private:
  const Scope& scope_;
  const FlatExpression& expression_;
  bool real_;
  const ElementSource* elements_;
};

}  // namespace

std::vector<std::string> Scope::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : names_) names.push_back(name);
  return names;
}

std::string Scope::known() const {
  const std::string text = fmt::format("{}", fmt::join(names(), ", "));
  return text.empty() ? "no names are defined here" : "numbers, " + text;
}

Expression Expression::make(const ConfigNode& node, const Scope& names, bool real) {
  Expression e;
  e.real_ = real;
  e.where_ = node.where();
  const ExpressionRules& rules = real ? kReals : kIntegers;
  if (node.is_number()) {
    const Number number = node.is_integer ? Number::of(integer_of(node)) : Number::of(node.number);
    e.flat_ = FlatExpression(node.is_integer ? to_text(number.integer) : fmt::format("{}", node.number),
                             e.where_, rules);
    if (!number.integral && !real) e.flat_.fail("not an integer", "an integer, or an expression in a string");
    e.flat_.push(number);
    return e;
  }
  if (!node.is_string()) throw Error(node.where(), "not a number", "a number, or an expression in a string");
  if (node.text == kToFillIn)
    throw Error(node.where(), "is still to be filled in", "a number, or an expression");
  e.flat_ = FlatExpression::parse(node.text, e.where_, rules);
  for (const ExpressionUse& use : e.flat_.uses())
    if (!names.find(use.name)) fail_of_name(e.flat_, use.name, names);
  return e;
}

Expression Expression::integer(const ConfigNode& node, const Scope& names) {
  return make(node, names, false);
}
Expression Expression::real(const ConfigNode& node, const Scope& names) { return make(node, names, true); }

Expression Expression::host(const ConfigNode& node, const Scope& names,
                            const std::vector<std::string>& buffers) {
  if (node.is_number()) return real(node, names);
  if (!node.is_string()) throw Error(node.where(), "not a number", "a number, or an expression in a string");
  Expression e;
  e.real_ = true;
  e.where_ = node.where();
  e.flat_ = FlatExpression::parse(node.text, e.where_, kHost);
  for (const ExpressionUse& use : e.flat_.uses()) {
    if (use.element && std::find(buffers.begin(), buffers.end(), use.name) == buffers.end())
      e.flat_.fail("unknown buffer \"" + use.name + "\"" + did_you_mean(use.name, buffers),
                   buffers.empty() ? "no buffers are defined" : fmt::format("{}", fmt::join(buffers, ", ")));
    if (!use.element && !names.find(use.name)) fail_of_name(e.flat_, use.name, names);
  }
  return e;
}

Expression Expression::constant(std::int64_t value) {
  Expression e;
  e.flat_ = FlatExpression(std::to_string(value), "", kIntegers);
  e.flat_.push(Number::of(WideInteger{value}));
  return e;
}

Number Expression::evaluate_number(const Scope& scope) const {
  ScopeValues values(scope, flat_, real_);
  return flat_.evaluate(values);
}

Number Expression::evaluate_host(const Scope& scope, const ElementSource& elements) const {
  ScopeValues values(scope, flat_, true, &elements);
  return flat_.evaluate(values);
}

WideInteger Expression::evaluate_wide(const Scope& scope) const { return evaluate_number(scope).integer; }

std::int64_t Expression::evaluate(const Scope& scope, std::int64_t low, std::int64_t high) const {
  const WideInteger value = evaluate_wide(scope);
  if (value < low || value > high)
    flat_.fail("the value " + to_text(value) + " is out of range", fmt::format("{}..{}", low, high));
  return static_cast<std::int64_t>(value);
}

double Expression::evaluate_real(const Scope& scope) const { return evaluate_number(scope).real; }

std::uint64_t Expression::evaluate_bits(const Scope& scope, ElementType type) const {
  return bits_of_number(evaluate_number(scope), type, flat_.place());
}

std::uint64_t bits_of_number(const Number& number, ElementType type, const std::string& where) {
  if (type == ElementType::f32) {
    const auto narrow = static_cast<float>(number.real);
    if (std::isinf(narrow) && !std::isinf(number.real))
      throw Error(where, fmt::format("the value {} does not fit f32", number.real), "up to 3.4e38, or inf");
    return std::bit_cast<std::uint32_t>(narrow);
  }
  if (type == ElementType::f64) return std::bit_cast<std::uint64_t>(number.real);
  if (!number.integral)
    throw Error(where, fmt::format("the value {} for an element of {}", number.real, name_of(type)),
                "an integer: trunc(...) cuts a fraction off");
  const int bits = 8 * static_cast<int>(bytes_of(type));
  const WideInteger one = 1;
  const WideInteger low = is_signed(type) ? -(one << (bits - 1)) : 0;
  const WideInteger high = (one << (is_signed(type) ? bits - 1 : bits)) - 1;
  const WideInteger value = number.integer;
  if (value < low || value > high)
    throw Error(where, fmt::format("the value {} does not fit {}", to_text(value), name_of(type)),
                to_text(low) + ".." + to_text(high));
  return static_cast<std::uint64_t>(value) &
         (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
}

}  // namespace heddle::launch
