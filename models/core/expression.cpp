#include "models/core/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/core/error.h"

namespace heddle {
namespace {

constexpr WideInteger kLowest = std::numeric_limits<std::int64_t>::min();
constexpr WideInteger kHighest = std::numeric_limits<std::uint64_t>::max();
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

using Op = ExpressionOp;

}  // namespace

std::string to_text(WideInteger value) {
  return value > std::numeric_limits<std::int64_t>::max() ? std::to_string(static_cast<std::uint64_t>(value))
                                                          : std::to_string(static_cast<std::int64_t>(value));
}

double ExpressionValues::call(const std::string& function, const std::vector<double>&) {
  throw InternalError("no function " + function);
}

Number ExpressionValues::element(const ExpressionUse& use, const Number&) {
  throw InternalError("no elements of " + use.name);
}

void FlatExpression::push(Number constant) {
  steps_.push_back({Op::constant, static_cast<std::uint32_t>(constants_.size()), 0});
  constants_.push_back(constant);
}

void FlatExpression::push(ExpressionUse use) {
  steps_.push_back({Op::use, static_cast<std::uint32_t>(uses_.size()), 0});
  uses_.push_back(std::move(use));
}

void FlatExpression::push_element(ExpressionUse use) {
  use.element = true;
  steps_.push_back({Op::element, static_cast<std::uint32_t>(uses_.size()), 0});
  uses_.push_back(std::move(use));
}

void FlatExpression::push_call(const std::string& function, std::size_t arguments) {
  steps_.push_back(
      {Op::call, static_cast<std::uint32_t>(functions_.size()), static_cast<std::uint32_t>(arguments)});
  functions_.push_back(function);
}

bool FlatExpression::uses_elsewhere() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.op == Op::elsewhere; });
}

std::string FlatExpression::place() const {
  constexpr std::size_t kShown = 200;
  if (text_.empty()) return where_;
  return fmt::format("{}{}in \"{}{}\"", where_, where_.empty() ? "" : ": ",
                     std::string_view(text_).substr(0, kShown), text_.size() > kShown ? " ..." : "");
}

void FlatExpression::fail(const std::string& what, const std::string& allowed) const {
  throw Error(place(), what, allowed);
}

bool FlatExpression::keeps_integers() const {
  return rules_->arithmetic == ExpressionRules::Arithmetic::integers ||
         rules_->arithmetic == ExpressionRules::Arithmetic::mixed ||
         rules_->arithmetic == ExpressionRules::Arithmetic::host;
}

Number FlatExpression::apply_function(Op op, const Number& a) const {
  switch (op) {
    case Op::square_root:
      return Number::of(std::sqrt(a.real));
    case Op::exponential:
      return Number::of(std::exp(a.real));
    case Op::logarithm:
      return Number::of(std::log(a.real));
    default:
      break;
  }
  if (a.integral) return a;
  const double whole = std::trunc(a.real);
  if (!(whole >= static_cast<double>(kLowest) && whole < static_cast<double>(kHighest)))
    fail(fmt::format("{} has no integer of 64 bits", a.real));
  return Number::of(static_cast<WideInteger>(whole));
}

Number FlatExpression::apply_integer(Op op, WideInteger a, WideInteger b) const {
  WideInteger result = 0;
  switch (op) {
    case Op::add:
      result = a + b;
      break;
    case Op::sub:
      result = a - b;
      break;
    case Op::mul:
      if (__builtin_mul_overflow(a, b, &result)) fail("a product beyond 64 bits");
      break;
    case Op::div:
    case Op::rem:
      if (b == 0) fail("division by zero");
      result = op == Op::div ? a / b : a % b;
      break;
    case Op::shl:
    case Op::shr:
      if (b < 0 || b > 63) fail("a shift by " + to_text(b), "0..63");
      result = op == Op::shl ? a * (WideInteger{1} << static_cast<int>(b)) : a >> static_cast<int>(b);
      break;
    case Op::and_:
      result = a & b;
      break;
    case Op::or_:
      result = a | b;
      break;
    case Op::min:
      result = std::min(a, b);
      break;
    case Op::max:
      result = std::max(a, b);
      break;
    default:
      return Number::of(WideInteger{apply_real(op, static_cast<double>(a), static_cast<double>(b)) != 0});
  }
  if (result < kLowest || result > kHighest) fail("a result beyond 64 bits");
  return Number::of(result);
}

double FlatExpression::apply_real(Op op, double a, double b) const {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      if (b == 0 && rules_->arithmetic == ExpressionRules::Arithmetic::undefined) return kUndefined;
      if (b == 0 && rules_->arithmetic == ExpressionRules::Arithmetic::defined) fail("division by zero");
      return a / b;
    case Op::min:
      return a < b ? a : b;
    case Op::max:
      return a < b ? b : a;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    default:
      fail("%, <<, >>, & and | of a number with a fraction");
  }
}

Number FlatExpression::apply(Op op, const Number& a, const Number& b) const {
  if (!keeps_integers()) {
    if (rules_->arithmetic == ExpressionRules::Arithmetic::undefined &&
        (std::isnan(a.real) || std::isnan(b.real)))
      return Number::of(kUndefined);
    return Number::of(apply_real(op, a.real, b.real));
  }
  const bool exact_division = rules_->arithmetic == ExpressionRules::Arithmetic::mixed;
  if (a.integral && b.integral && !(exact_division && op == Op::div))
    return apply_integer(op, a.integer, b.integer);
  if (rules_->arithmetic == ExpressionRules::Arithmetic::integers)
    fail("a value with a fraction in an integer expression");
  return Number::of(apply_real(op, a.real, b.real));
}

Number FlatExpression::evaluate(ExpressionValues& values) const {
  std::vector<Number> stack;
  const auto pop = [&stack] {
    const Number top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const Step& step : steps_) {
    switch (step.op) {
      case Op::constant:
        stack.push_back(constants_[step.index]);
        break;
      case Op::use:
        stack.push_back(values.value(uses_[step.index]));
        break;
      case Op::element:
        stack.back() = values.element(uses_[step.index], stack.back());
        break;
      case Op::square_root:
      case Op::exponential:
      case Op::logarithm:
      case Op::truncate:
        stack.back() = apply_function(step.op, stack.back());
        break;
      case Op::call: {
        std::vector<double> arguments;
        for (auto it = stack.end() - step.arguments; it != stack.end(); ++it) arguments.push_back(it->real);
        stack.resize(stack.size() - step.arguments);
        stack.push_back(Number::of(values.call(functions_[step.index], arguments)));
        break;
      }
      case Op::elsewhere:
        if (!values.has_elsewhere()) stack.back() = Number::of(kUndefined);
        break;
      case Op::negate:
        stack.back() = keeps_integers() && stack.back().integral
                           ? apply_integer(Op::sub, 0, stack.back().integer)
                           : Number::of(-stack.back().real);
        break;
      case Op::choose: {
        const Number otherwise = pop(), then = pop(), condition = pop();
        stack.push_back(std::isnan(condition.real) ? Number::of(kUndefined)
                        : condition.real != 0      ? then
                                                   : otherwise);
        break;
      }
      default: {
        const Number b = pop();
        stack.back() = apply(step.op, stack.back(), b);
      }
    }
  }
  return stack.back();
}

}  // namespace heddle
