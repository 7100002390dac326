#include "models/ptx/constant_expression.h"

#include <array>

namespace heddle::ptx {
namespace {

struct BinaryOperator {
  std::string_view text;
  int binding;
};
constexpr std::array<BinaryOperator, 18> kOperators = {{{"||", 1},
                                                        {"&&", 2},
                                                        {"|", 3},
                                                        {"^", 4},
                                                        {"&", 5},
                                                        {"==", 6},
                                                        {"!=", 6},
                                                        {"<", 7},
                                                        {">", 7},
                                                        {"<=", 7},
                                                        {">=", 7},
                                                        {"<<", 8},
                                                        {">>", 8},
                                                        {"+", 9},
                                                        {"-", 9},
                                                        {"*", 10},
                                                        {"/", 10},
                                                        {"%", 10}}};

ConstantValue integer(std::uint64_t bits, bool is_unsigned) {
  return {ConstantValue::Kind::integer, is_unsigned, bits};
}
ConstantValue truth(bool value) { return integer(value ? 1 : 0, false); }
std::int64_t as_signed(const ConstantValue& v) { return static_cast<std::int64_t>(v.bits); }

class Evaluator {
 public:
  explicit Evaluator(TokenCursor& cursor) : cursor_(cursor) {}

  ConstantValue ternary() {
    enter();
    ConstantValue value = binary(1);
    if (cursor_.accept("?")) {
      require_integer(value);
      const ConstantValue yes = ternary();
      cursor_.expect(":", "\"?\" of a constant expression");
      const ConstantValue no = ternary();
      const bool take_first = value.bits != 0;
      value = take_first ? yes : no;
      if (yes.kind == ConstantValue::Kind::integer && no.kind == ConstantValue::Kind::integer)
        value.is_unsigned = yes.is_unsigned || no.is_unsigned;
    }
    --depth_;
    return value;
  }

 private:
  void enter() {
    if (++depth_ > kDeepestNesting) cursor_.fail("a constant expression nests too deeply");
  }

  void require_integer(const ConstantValue& v) {
    if (v.kind != ConstantValue::Kind::integer)
      cursor_.fail("a floating-point constant in an integer constant expression");
  }

  ConstantValue binary(int least) {
    ConstantValue left = unary();
    for (;;) {
      const Token token = cursor_.peek();
      const BinaryOperator* found = nullptr;
      if (token.kind == TokenKind::punctuation)
        for (const auto& candidate : kOperators)
          if (candidate.text == token.text && candidate.binding >= least) found = &candidate;
      if (!found) return left;
      cursor_.next();
      const ConstantValue right = binary(found->binding + 1);
      require_integer(left);
      require_integer(right);
      left = apply(found->text, left, right, token.position);
    }
  }

  ConstantValue apply(std::string_view op, const ConstantValue& a, const ConstantValue& b, Position where) {
    const bool u = a.is_unsigned || b.is_unsigned;
    if (op == "+") return integer(a.bits + b.bits, u);
    if (op == "-") return integer(a.bits - b.bits, u);
    if (op == "*") return integer(a.bits * b.bits, u);
    if (op == "/" || op == "%") return divide(op == "/", a, b, u, where);
    if (op == "<<") return integer(b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned);
    if (op == ">>") return shift_right(a, b);
    if (op == "&") return integer(a.bits & b.bits, u);
    if (op == "|") return integer(a.bits | b.bits, u);
    if (op == "^") return integer(a.bits ^ b.bits, u);
    if (op == "&&") return truth(a.bits != 0 && b.bits != 0);
    if (op == "||") return truth(a.bits != 0 || b.bits != 0);
    if (op == "==") return truth(a.bits == b.bits);
    if (op == "!=") return truth(a.bits != b.bits);
    const bool less = u ? a.bits < b.bits : as_signed(a) < as_signed(b);
    const bool greater = u ? a.bits > b.bits : as_signed(a) > as_signed(b);
    if (op == "<") return truth(less);
    if (op == ">") return truth(greater);
    return truth(op == "<=" ? !greater : !less);
  }

  ConstantValue shift_right(const ConstantValue& a, const ConstantValue& b) {
    const unsigned n = b.bits > 63 ? 63u : static_cast<unsigned>(b.bits);
    if (!a.is_unsigned) return integer(static_cast<std::uint64_t>(as_signed(a) >> n), false);
    return integer(b.bits > 63 ? 0 : a.bits >> n, true);
  }

  ConstantValue divide(bool quotient, const ConstantValue& a, const ConstantValue& b, bool u,
                       Position where) {
    if (b.bits == 0) cursor_.source().fail(where, "division by zero in a constant expression");
    if (u) return integer(quotient ? a.bits / b.bits : a.bits % b.bits, true);
    if (as_signed(b) == -1) return integer(quotient ? 0 - a.bits : 0, false);
    return integer(
        static_cast<std::uint64_t>(quotient ? as_signed(a) / as_signed(b) : as_signed(a) % as_signed(b)),
        false);
  }

  ConstantValue unary() {
    enter();
    ConstantValue value = unary_body();
    --depth_;
    return value;
  }

  ConstantValue unary_body() {
    if (cursor_.accept("-")) return negate(unary());
    if (cursor_.accept("+")) return unary();
    if (cursor_.accept("!")) {
      const ConstantValue v = unary();
      require_integer(v);
      return truth(v.bits == 0);
    }
    if (cursor_.accept("~")) {
      const ConstantValue v = unary();
      require_integer(v);
      return integer(~v.bits, v.is_unsigned);
    }
    if (cursor_.peek().is("(") && cursor_.peek(1).kind == TokenKind::dot_word) return cast();
    if (cursor_.accept("(")) {
      const ConstantValue value = ternary();
      cursor_.expect(")", "a constant expression");
      return value;
    }
    return literal();
  }

  ConstantValue cast() {
    cursor_.next();
    const Token type = cursor_.next();
    if (type.text != "s64" && type.text != "u64")
      cursor_.source().fail(type.position, "unknown cast in a constant expression", "(.s64), (.u64)");
    cursor_.expect(")", "a cast");
    const ConstantValue value = unary();
    require_integer(value);
    return integer(value.bits, type.text == "u64");
  }

  static ConstantValue negate(ConstantValue v) {
    if (v.kind == ConstantValue::Kind::float32)
      v.bits ^= 0x8000'0000u;
    else if (v.kind == ConstantValue::Kind::float64)
      v.bits ^= 0x8000'0000'0000'0000ull;
    else
      v.bits = 0 - v.bits;
    return v;
  }

  ConstantValue literal() {
    const Token& token = cursor_.peek();
    ConstantValue value;
    value.bits = token.value;
    value.is_unsigned = token.is_unsigned;
    if (token.kind == TokenKind::float32)
      value.kind = ConstantValue::Kind::float32;
    else if (token.kind == TokenKind::float64)
      value.kind = ConstantValue::Kind::float64;
    else if (token.kind == TokenKind::identifier && token.text == "WARP_SZ")
      value.bits = 32;
    else if (token.kind != TokenKind::integer)
      cursor_.fail_expected("a constant");
    cursor_.next();
    return value;
  }

  TokenCursor& cursor_;
  int depth_ = 0;
};

}  // namespace

ConstantValue parse_constant(TokenCursor& cursor) { return Evaluator(cursor).ternary(); }

std::int64_t parse_integer_constant(TokenCursor& cursor) {
  const Position where = cursor.position();
  const ConstantValue value = parse_constant(cursor);
  if (value.kind != ConstantValue::Kind::integer) cursor.source().fail(where, "expected an integer constant");
  return static_cast<std::int64_t>(value.bits);
}

bool starts_constant(const Token& token) {
  if (token.kind == TokenKind::punctuation)
    return token.text == "-" || token.text == "+" || token.text == "~" || token.text == "(" ||
           token.text == "!";
  return token.kind == TokenKind::integer || token.kind == TokenKind::float32 ||
         token.kind == TokenKind::float64 || (token.kind == TokenKind::identifier && token.text == "WARP_SZ");
}

}  // namespace heddle::ptx
