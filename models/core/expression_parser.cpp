// Parser of expressions. The parser uses a stack of open operators (E. Dijkstra's shunting-yard algorithm)
// instead of recursion, so that memory alone limits the depth of expressions.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "models/core/expression.h"

namespace heddle {
namespace {

using Op = ExpressionOp;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Sign {
  const char* text;
  Op op;
  int level;
  bool bits, comparison;
};
constexpr int kUnary = 9;
// Operators. The parser takes the first entry that matches, so "<<" must come before "<", and "<=" before
// "<".
constexpr Sign kSigns[] = {
    {"<<", Op::shl, 5, true, false},        {">>", Op::shr, 5, true, false},
    {"<=", Op::less_equal, 3, false, true}, {">=", Op::greater_equal, 3, false, true},
    {"==", Op::equal, 3, false, true},      {"<", Op::less, 3, false, true},
    {">", Op::greater, 3, false, true},     {"|", Op::or_, 1, true, false},
    {"&", Op::and_, 2, true, false},        {"+", Op::add, 6, false, false},
    {"-", Op::sub, 6, false, false},        {"*", Op::mul, 7, false, false},
    {"/", Op::div, 7, false, false},        {"%", Op::rem, 7, true, false},
};
constexpr int kComparison = 3;

struct Function {
  const char* name;
  Op op;
  int arguments;
};
constexpr Function kFunctions[] = {{"min", Op::min, 2},         {"max", Op::max, 2},
                                   {"if", Op::choose, 3},       {"sqrt", Op::square_root, 1},
                                   {"exp", Op::exponential, 1}, {"log", Op::logarithm, 1},
                                   {"trunc", Op::truncate, 1}};

class Parser {
 public:
  Parser(FlatExpression& into, const ExpressionRules& rules)
      : into_(into), text_(into.text()), rules_(rules) {}

  void parse() {
    for (;;) {
      operand();
      while (closes()) continue;
      if (peek() == '\0') break;
      if (take(',')) {
        comma();
      } else {
        binary();
      }
    }
    while (!open_.empty()) {
      if (open_.back().bracket) fail(open_.back().element ? "\"]\" is missing" : "\")\" is missing");
      emit_top();
    }
  }

 private:
  struct Open {
    Op op = Op::constant;
    int level = 0;
    bool bracket = false;
    bool elsewhere = false;
    bool element = false;
    int wanted = 0, arguments = 0;
    std::string function;
  };

  void operand() {
    for (;;) {
      const char c = peek();
      if (c == '-') {
        open_.push_back({Op::negate, kUnary, false, false, false, 0, 0, {}});
        ++at_;
      } else if (c == '+') {
        ++at_;
      } else if (c == '(') {
        Open bracket;
        bracket.bracket = true;
        open_.push_back(bracket);
        ++at_;
      } else if (is_digit(c) || c == '.') {
        return number();
      } else if (is_letter(c)) {
        if (word()) return;
      } else {
        fail(c == '\0' ? "the expression ends where a value was expected"
                       : fmt::format("\"{}\" where a value was expected", c));
      }
    }
  }

  // Parses a name, or a function's name with its opening bracket. Returns true for a name, because a name is
  // already a complete operand.
  bool word() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_letter(text_[end]) || is_digit(text_[end]) || (rules_.dots && text_[end] == '.')))
      ++end;
    const std::string name = text_.substr(at_, end - at_);
    at_ = end;
    if (peek() == '(') return function(name);
    if (rules_.elements && take('[')) {
      Open open;
      open.bracket = open.element = true;
      open.function = name;
      open_.push_back(std::move(open));
      return false;
    }
    if (rules_.infinities && name == "inf")
      into_.push(Number::of(std::numeric_limits<double>::infinity()));
    else if (rules_.infinities && name == "nan")
      into_.push(Number::of(std::numeric_limits<double>::quiet_NaN()));
    else
      into_.push(ExpressionUse{name, "", elsewhere_ > 0});
    return true;
  }

  bool function(const std::string& name) {
    ++at_;
    const auto among = [&name](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    if (among(rules_.lookups)) {
      into_.push(ExpressionUse{pattern(), name, elsewhere_ > 0});
      if (!take(')')) fail("\")\" is missing");
      return true;
    }
    Open open;
    open.bracket = true;
    open.arguments = 1;
    open.function = name;
    if (!rules_.elsewhere.empty() && name == rules_.elsewhere) {
      open.elsewhere = true;
      open.op = Op::elsewhere;
      open.wanted = 1;
      ++elsewhere_;
    } else {
      const auto known = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                      [&](const Function& f) { return f.name == name; });
      if (!among(rules_.functions) || known == std::end(kFunctions))
        fail("unknown function \"" + name + "\"", known_functions());
      open.op = known->op;
      open.wanted = known->arguments;
    }
    open_.push_back(std::move(open));
    return false;
  }

  std::string known_functions() const {
    std::vector<std::string> all = rules_.lookups;
    all.insert(all.end(), rules_.functions.begin(), rules_.functions.end());
    if (!rules_.elsewhere.empty()) all.push_back(rules_.elsewhere);
    return fmt::format("{}", fmt::join(all, ", "));
  }

  std::string pattern() {
    const std::size_t end = take('\'') ? text_.find('\'', at_) : std::string::npos;
    if (end == std::string::npos || end == at_) fail("no pattern in quotes", "sum('sm*.issue.issued')");
    std::string text = text_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
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
    const bool fractions = rules_.arithmetic != ExpressionRules::Arithmetic::integers;
    if (whole.ec == std::errc{} && whole.ptr >= fraction.ptr) {
      into_.push(Number::of(WideInteger{integer}));
      at_ = static_cast<std::size_t>(whole.ptr - text_.data());
    } else if (fraction.ec == std::errc{} && fraction.ptr != first && fractions) {
      into_.push(Number::of(real));
      at_ = static_cast<std::size_t>(fraction.ptr - text_.data());
    } else {
      if (fractions) fail("a number beyond every f64", "numbers up to 1.7e308, inf");
      fail("a number that is not an integer of 64 bits", "integers");
    }
    if (is_letter(peek_raw())) fail("a number followed by a letter");
  }

  void emit_top() {
    into_.push(open_.back().op);
    open_.pop_back();
  }

  void close_operators(const char* sign) {
    while (!open_.empty() && !open_.back().bracket) emit_top();
    if (open_.empty()) fail(fmt::format("\"{}\" where an operator or the end was expected", sign));
  }

  bool closes() {
    const char sign = peek();
    if (sign != ')' && !(rules_.elements && sign == ']')) return false;
    ++at_;
    close_operators(sign == ')' ? ")" : "]");
    const Open bracket = open_.back();
    open_.pop_back();
    if (bracket.element != (sign == ']')) fail(fmt::format("\"{}\" where another bracket is open", sign));
    if (bracket.element) into_.push_element(ExpressionUse{bracket.function, "", elsewhere_ > 0});
    if (bracket.wanted == 0) return true;
    if (bracket.arguments != bracket.wanted)
      fail(fmt::format("{} of {} values", bracket.function, bracket.arguments),
           fmt::format("{}", bracket.wanted));
    if (bracket.elsewhere) --elsewhere_;
    into_.push(bracket.op);
    return true;
  }

  void comma() {
    close_operators(",");
    if (open_.back().wanted == 0) fail("\",\" where an operator or the end was expected");
    ++open_.back().arguments;
  }

  void binary() {
    for (const Sign& sign : kSigns) {
      if (text_.compare(at_, std::char_traits<char>::length(sign.text), sign.text) != 0) continue;
      if ((sign.bits && !rules_.bits) || (sign.comparison && !rules_.comparisons)) continue;
      at_ += std::char_traits<char>::length(sign.text);
      while (!open_.empty() && !open_.back().bracket && open_.back().level >= sign.level) {
        if (sign.comparison && open_.back().level == kComparison)
          fail("comparisons in a row", "brackets around one of them");
        emit_top();
      }
      open_.push_back({sign.op, sign.level, false, false, false, 0, 0, {}});
      return;
    }
    fail(fmt::format("\"{}\" where an operator or the end was expected", text_[at_]));
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return peek_raw();
  }
  char peek_raw() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& what, const std::string& allowed = {}) const {
    into_.fail(what, allowed);
  }

  FlatExpression& into_;
  const std::string text_;
  const ExpressionRules& rules_;
  std::size_t at_ = 0;
  int elsewhere_ = 0;
  std::vector<Open> open_;
};

}  // namespace

FlatExpression FlatExpression::parse(const std::string& text, const std::string& where,
                                     const ExpressionRules& rules) {
  FlatExpression expression(text, where, rules);
  Parser(expression, rules).parse();
  return expression;
}

}  // namespace heddle
