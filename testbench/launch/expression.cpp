#include "testbench/launch/expression.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

#include "models/core/error.h"

namespace heddle::launch {
namespace {

constexpr WideInteger kLowest = std::numeric_limits<std::int64_t>::min();
constexpr WideInteger kHighest = std::numeric_limits<std::uint64_t>::max();

std::string to_text(WideInteger value) {
  return value > std::numeric_limits<std::int64_t>::max() ? std::to_string(static_cast<std::uint64_t>(value))
                                                          : std::to_string(static_cast<std::int64_t>(value));
}

/// The integer of a node, whose values above INT64_MAX are kept as their bit pattern.
WideInteger integer_of(const ConfigNode& node) {
  if (node.integer < 0 && node.number > 0) return static_cast<std::uint64_t>(node.integer);
  return node.integer;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string Scope::known() const {
  std::string text;
  for (const auto& [name, value] : names_) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "no names are defined here" : "numbers, " + text;
}

/// Recursive descent; precedence as in C: | & shifts sums products signs.
class ExpressionParser {
 public:
  ExpressionParser(Expression& into, const Scope& names) : into_(into), text_(into.text_), names_(names) {}

  void parse() {
    bit_or();
    if (peek() != '\0') fail(fmt::format("\"{}\" where an operator or the end was expected", text_[at_]));
  }

 private:
  using Op = Expression::Op;
  static constexpr int kMaxDepth = 100;

  void bit_or() { binary({{"|", Op::or_}}, &ExpressionParser::bit_and); }
  void bit_and() { binary({{"&", Op::and_}}, &ExpressionParser::shift); }
  void shift() { binary({{"<<", Op::shl}, {">>", Op::shr}}, &ExpressionParser::sum); }
  void sum() { binary({{"+", Op::add}, {"-", Op::sub}}, &ExpressionParser::product); }
  void product() { binary({{"*", Op::mul}, {"/", Op::div}, {"%", Op::rem}}, &ExpressionParser::sign); }

  void binary(std::initializer_list<std::pair<std::string_view, Op>> operators,
              void (ExpressionParser::*operand)()) {
    (this->*operand)();
    for (bool found = true; found;) {
      found = false;
      for (const auto& [symbol, op] : operators) {
        peek();
        if (text_.compare(at_, symbol.size(), symbol) != 0) continue;
        at_ += symbol.size();
        (this->*operand)();
        emit(op);
        found = true;
        break;
      }
    }
  }

  void sign() {
    if (++depth_ > kMaxDepth) fail("nested too deeply");
    if (peek() == '-') {
      ++at_;
      sign();
      emit(Op::negate);
    } else if (peek() == '+') {
      ++at_;
      sign();
    } else {
      primary();
    }
    --depth_;
  }

  void primary() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      bit_or();
      expect(')');
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else {
      fail(c == '\0' ? "the expression ends where a value was expected"
                     : fmt::format("\"{}\" where a value was expected", c));
    }
  }

  void number() {
    const char* const first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    const bool hex = text_.compare(at_, 2, "0x") == 0 || text_.compare(at_, 2, "0X") == 0;
    std::uint64_t integer = 0;
    const auto whole = std::from_chars(hex ? first + 2 : first, last, integer, hex ? 16 : 10);
    double real = 0;
    const auto fraction =
        hex ? std::from_chars_result{first, std::errc{}} : std::from_chars(first, last, real);
    if (whole.ec == std::errc{} && whole.ptr >= fraction.ptr) {
      emit_literal(Number::of(WideInteger{integer}));
      at_ = static_cast<std::size_t>(whole.ptr - text_.data());
    } else if (fraction.ec == std::errc{} && fraction.ptr != first && into_.real_) {
      emit_literal(Number::of(real));
      at_ = static_cast<std::size_t>(fraction.ptr - text_.data());
    } else {
      if (into_.real_) fail("a number beyond every f64", "numbers up to 1.7e308, inf");
      fail("a number that is not an integer of 64 bits", "integers");
    }
    if (is_letter(peek_raw())) fail("a number followed by a letter");
  }

  void name() {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const std::string word = text_.substr(at_, end - at_);
    at_ = end;
    if (peek() == '(') {
      call(word);
    } else if (into_.real_ && word == "inf") {
      emit_literal(Number::of(std::numeric_limits<double>::infinity()));
    } else if (into_.real_ && word == "nan") {
      emit_literal(Number::of(std::numeric_limits<double>::quiet_NaN()));
    } else {
      if (!names_.find(word)) fail("unknown name \"" + word + "\"", names_.known());
      into_.postfix_.push_back({Op::name, {}, word});
    }
  }

  void call(const std::string& function) {
    if (function != "min" && function != "max") fail("unknown function \"" + function + "\"", "min, max");
    ++at_;
    bit_or();
    expect(',');
    bit_or();
    expect(')');
    emit(function == "min" ? Op::min : Op::max);
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return peek_raw();
  }
  char peek_raw() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void expect(char c) {
    if (peek() != c) fail(fmt::format("\"{}\" is missing", c));
    ++at_;
  }
  void emit(Op op) { into_.postfix_.push_back({op, {}, {}}); }
  void emit_literal(Number value) { into_.postfix_.push_back({Op::literal, value, {}}); }
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const {
    into_.fail(what, allowed);
  }

  Expression& into_;
  const std::string& text_;
  const Scope& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void Expression::fail(const std::string& what, const std::string& allowed) const {
  throw Error(where_, "in \"" + text_ + "\": " + what, allowed);
}

Expression Expression::make(const ConfigNode& node, const Scope& names, bool real) {
  Expression e;
  e.real_ = real;
  e.where_ = node.where();
  if (node.is_number()) {
    e.text_ = node.is_integer ? to_text(integer_of(node)) : fmt::format("{}", node.number);
    if (!node.is_integer && !real) e.fail("not an integer", "an integer, or an expression in a string");
    e.postfix_.push_back(
        {Op::literal, node.is_integer ? Number::of(integer_of(node)) : Number::of(node.number), {}});
    return e;
  }
  if (!node.is_string()) throw Error(node.where(), "not a number", "a number, or an expression in a string");
  e.text_ = node.text;
  ExpressionParser(e, names).parse();
  return e;
}

Expression Expression::integer(const ConfigNode& node, const Scope& names) {
  return make(node, names, false);
}
Expression Expression::real(const ConfigNode& node, const Scope& names) { return make(node, names, true); }

Expression Expression::constant(std::int64_t value) {
  Expression e;
  e.text_ = std::to_string(value);
  e.postfix_.push_back({Op::literal, Number::of(WideInteger{value}), {}});
  return e;
}

Number Expression::apply_integer(Op op, WideInteger a, WideInteger b) const {
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
      result = a < b ? a : b;
      break;
    case Op::max:
      result = a < b ? b : a;
      break;
    default:
      break;
  }
  if (result < kLowest || result > kHighest) fail("a result beyond 64 bits");
  return Number::of(result);
}

Number Expression::apply(Op op, const Number& a, const Number& b) const {
  const bool integral = a.integral && b.integral;
  if (integral && !(real_ && op == Op::div)) return apply_integer(op, a.integer, b.integer);
  if (!real_) fail("a value with a fraction in an integer expression");
  switch (op) {
    case Op::add:
      return Number::of(a.real + b.real);
    case Op::sub:
      return Number::of(a.real - b.real);
    case Op::mul:
      return Number::of(a.real * b.real);
    case Op::div:
      return Number::of(a.real / b.real);
    case Op::min:
      return Number::of(a.real < b.real ? a.real : b.real);
    case Op::max:
      return Number::of(a.real < b.real ? b.real : a.real);
    default:
      fail("%, <<, >>, & and | of a number with a fraction");
  }
}

Number Expression::evaluate_number(const Scope& scope) const {
  std::vector<Number> stack;
  for (const Node& node : postfix_) {
    switch (node.op) {
      case Op::literal:
        stack.push_back(node.value);
        break;
      case Op::name: {
        const Number* value = scope.find(node.name);
        if (!value) fail("unknown name \"" + node.name + "\"", scope.known());
        if (!real_ && !value->integral) fail("\"" + node.name + "\" is not an integer");
        stack.push_back(*value);
        break;
      }
      case Op::negate:
        stack.back() = stack.back().integral ? apply_integer(Op::sub, 0, stack.back().integer)
                                             : Number::of(-stack.back().real);
        break;
      default: {
        const Number b = stack.back();
        stack.pop_back();
        stack.back() = apply(node.op, stack.back(), b);
      }
    }
  }
  return stack.back();
}

WideInteger Expression::evaluate_wide(const Scope& scope) const { return evaluate_number(scope).integer; }

std::int64_t Expression::evaluate(const Scope& scope, std::int64_t low, std::int64_t high) const {
  const WideInteger value = evaluate_wide(scope);
  if (value < low || value > high)
    fail("the value " + to_text(value) + " is out of range", fmt::format("{}..{}", low, high));
  return static_cast<std::int64_t>(value);
}

double Expression::evaluate_real(const Scope& scope) const { return evaluate_number(scope).real; }

std::uint64_t Expression::evaluate_bits(const Scope& scope, ElementType type) const {
  if (type == ElementType::f32) {
    const double value = evaluate_real(scope);
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow) && !std::isinf(value))
      fail(fmt::format("the value {} does not fit f32", value), "up to 3.4e38, or inf");
    return std::bit_cast<std::uint32_t>(narrow);
  }
  if (type == ElementType::f64) return std::bit_cast<std::uint64_t>(evaluate_real(scope));
  const int bits = 8 * static_cast<int>(bytes_of(type));
  const WideInteger one = 1;
  const WideInteger low = is_signed(type) ? -(one << (bits - 1)) : 0;
  const WideInteger high = (one << (is_signed(type) ? bits - 1 : bits)) - 1;
  const WideInteger value = evaluate_wide(scope);
  if (value < low || value > high)
    fail(fmt::format("the value {} does not fit {}", to_text(value), name_of(type)),
         to_text(low) + ".." + to_text(high));
  return static_cast<std::uint64_t>(value) &
         (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
}

}  // namespace heddle::launch
