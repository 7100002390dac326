// Grammar, loosest first:
//   comparison := sum [("<" | "<=" | ">" | ">=" | "==") sum]        1 or 0
//   sum := product {("+" | "-") product}
//   product := factor {("*" | "/") factor}
//   factor := "-" factor | number | name | function "(" arguments ")" | "(" comparison ")"
// A name is letters, digits, "_" and ".". Patterns stand in quotes: sum('sm*.partition*.banks.reads').

#include "testbench/experiment/metric_expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

#include "models/core/error.h"

namespace heddle::experiment {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

enum class Op {
  number,
  name,
  negate,
  add,
  subtract,
  multiply,
  divide,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  sum,
  count,
  minimum,
  maximum,
  choose,
  base
};

struct Function {
  const char* name;
  Op op;
  std::size_t arguments;
  bool takes_pattern;
};
constexpr Function kFunctions[] = {{"sum", Op::sum, 1, true},      {"count", Op::count, 1, true},
                                   {"min", Op::minimum, 2, false}, {"max", Op::maximum, 2, false},
                                   {"if", Op::choose, 3, false},   {"base", Op::base, 1, false}};

}  // namespace

struct MetricExpression::Node {
  Op op = Op::number;
  double number = 0;
  std::string text;  ///< name or pattern
  std::vector<std::shared_ptr<const Node>> parts;
};

namespace {

using Node = MetricExpression::Node;
using NodePtr = std::shared_ptr<const Node>;

class Parser {
 public:
  Parser(const std::string& text, const std::string& where) : text_(text), where_(where) {}

  NodePtr whole() {
    NodePtr node = comparison();
    if (!at_end()) fail("unexpected \"" + text_.substr(at_) + "\"");
    return node;
  }

 private:
  NodePtr comparison() {
    NodePtr left = sum();
    constexpr std::array<std::pair<const char*, Op>, 5> operators = {{{"<=", Op::less_equal},
                                                                      {">=", Op::greater_equal},
                                                                      {"==", Op::equal},
                                                                      {"<", Op::less},
                                                                      {">", Op::greater}}};
    for (const auto& [sign, op] : operators)
      if (take(sign)) return make(op, {left, sum()});
    return left;
  }
  NodePtr sum() {
    NodePtr left = product();
    for (;;) {
      if (take("+"))
        left = make(Op::add, {left, product()});
      else if (take("-"))
        left = make(Op::subtract, {left, product()});
      else
        return left;
    }
  }
  NodePtr product() {
    NodePtr left = factor();
    for (;;) {
      if (take("*"))
        left = make(Op::multiply, {left, factor()});
      else if (take("/"))
        left = make(Op::divide, {left, factor()});
      else
        return left;
    }
  }
  NodePtr factor() {
    if (++depth_ > 200) fail("too deeply nested");
    NodePtr node = simple_factor();
    --depth_;
    return node;
  }
  NodePtr simple_factor() {
    if (take("-")) return make(Op::negate, {factor()});
    if (take("(")) {
      NodePtr inner = comparison();
      expect(")");
      return inner;
    }
    skip_blanks();
    const std::string word = take_word();
    if (word.empty())
      fail(at_end() ? "the expression ends early" : "unexpected \"" + text_.substr(at_, 1) + "\"");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) return number(word);
    if (take("(")) return call(word);
    auto node = std::make_shared<Node>();
    node->op = Op::name;
    node->text = word;
    return node;
  }
  NodePtr number(const std::string& word) {
    auto node = std::make_shared<Node>();
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, node->number);
    if (error != std::errc{} || stop != end) fail("\"" + word + "\" is not a number");
    return node;
  }
  NodePtr call(const std::string& word) {
    std::string known;
    for (const Function& function : kFunctions) {
      known += (known.empty() ? "" : ", ") + std::string(function.name);
      if (word != function.name) continue;
      auto node = std::make_shared<Node>();
      node->op = function.op;
      if (function.takes_pattern) {
        node->text = take_quoted();
      } else {
        for (std::size_t i = 0; i < function.arguments; ++i) {
          if (i > 0) expect(",");
          node->parts.push_back(comparison());
        }
      }
      expect(")");
      return node;
    }
    fail("unknown function \"" + word + "\"", known);
  }

  static NodePtr make(Op op, std::vector<NodePtr> parts) {
    auto node = std::make_shared<Node>();
    node->op = op;
    node->parts = std::move(parts);
    return node;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  bool take(const std::string& sign) {
    skip_blanks();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }
  void expect(const std::string& sign) {
    if (!take(sign)) fail("no \"" + sign + "\" after \"" + text_.substr(0, at_) + "\"");
  }
  std::string take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string take_quoted() {
    expect("'");
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string::npos || end == at_) fail("no pattern in quotes", "sum('sm*.issue.issued')");
    const std::string pattern = text_.substr(at_, end - at_);
    at_ = end + 1;
    return pattern;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const {
    throw Error(where_, "in \"" + text_ + "\": " + what, allowed);
  }

  const std::string& text_;
  const std::string& where_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

double value_of(const Node& node, const PointValues& own, const PointValues* base) {
  const auto part = [&](std::size_t i) { return value_of(*node.parts[i], own, base); };
  switch (node.op) {
    case Op::number:
      return node.number;
    case Op::name: {
      const double* value = own.find(node.text);
      return value ? *value : 0;
    }
    case Op::sum:
      return own.match(node.text).sum;
    case Op::count:
      return static_cast<double>(own.match(node.text).count);
    case Op::base:
      return base ? value_of(*node.parts[0], *base, base) : kUndefined;
    case Op::negate:
      return -part(0);
    case Op::choose: {
      const double condition = part(0);
      return std::isnan(condition) ? kUndefined : condition != 0 ? part(1) : part(2);
    }
    default:
      break;
  }
  const double a = part(0), b = part(1);
  if (std::isnan(a) || std::isnan(b)) return kUndefined;
  switch (node.op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return b == 0 ? kUndefined : a / b;
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
    case Op::minimum:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

void check(const Node& node, const PointValues& known, const std::string& where) {
  if (node.op == Op::name && !known.find(node.text))
    throw Error(where, "no run has a counter, metric or energy entry \"" + node.text + "\"",
                "names of results.csv, or sum('pattern')");
  if ((node.op == Op::sum || node.op == Op::count) && !known.matches(node.text))
    throw Error(where, "no counter, metric or energy entry of any run fits \"" + node.text + "\"");
  for (const NodePtr& part : node.parts) check(*part, known, where);
}

bool has_base(const Node& node) {
  return node.op == Op::base ||
         std::any_of(node.parts.begin(), node.parts.end(), [](const NodePtr& p) { return has_base(*p); });
}

}  // namespace

MetricExpression::MetricExpression(const ConfigNode& node) : where_(node.where()) {
  if (node.is_number()) {
    auto constant = std::make_shared<Node>();
    constant->number = node.number;
    root_ = constant;
    return;
  }
  if (!node.is_string()) throw Error(where_, "not an expression", "a string or a number");
  text_ = node.text;
  root_ = Parser(text_, where_).whole();
}

double MetricExpression::evaluate(const PointValues& own, const PointValues* base) const {
  return value_of(*root_, own, base);
}

void MetricExpression::check_names(const PointValues& known) const { check(*root_, known, where_); }

bool MetricExpression::uses_base() const { return has_base(*root_); }

}  // namespace heddle::experiment
