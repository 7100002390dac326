#include "models/ptx/declaration_parser.h"
#include "models/ptx/match_form.h"
#include "models/ptx/parser.h"

namespace heddle::ptx {
namespace {

constexpr int kMostVectorItems = 8;
constexpr int kMostTextureItems = 2;

class BodyParser {
 public:
  BodyParser(const Source& source, const std::vector<Token>& tokens, TokenRange range, const Dialect& dialect)
      : cursor_(source, tokens, range), dialect_(dialect) {
    body_.block_parent.push_back(-1);
  }

  Body run() {
    while (!cursor_.at_end()) statement();
    if (block_ != 0) cursor_.fail("a block is never closed by \"}\"");
    return std::move(body_);
  }

 private:
  Statement& add(Statement::Kind kind) {
    Statement s;
    s.kind = kind;
    s.position = cursor_.position();
    s.block = block_;
    body_.statements.push_back(std::move(s));
    return body_.statements.back();
  }

  void statement() {
    const Token token = cursor_.peek();
    if (cursor_.accept(";")) return;
    if (token.is("{")) return open();
    if (token.is("}")) return close();
    if (token.kind == TokenKind::dot_word) return directive(token);
    if (token.kind == TokenKind::identifier && cursor_.peek(1).is(":")) return label();
    if (token.kind == TokenKind::identifier || token.is("@")) return instruction();
    cursor_.fail("expected an instruction, found " + describe(token));
  }

  void open() {
    cursor_.next();
    body_.block_parent.push_back(block_);
    block_ = static_cast<int>(body_.block_parent.size()) - 1;
    add(Statement::Kind::open);
  }

  void close() {
    if (block_ == 0) cursor_.fail("\"}\" without \"{\"");
    add(Statement::Kind::close);
    cursor_.next();
    block_ = body_.block_parent[static_cast<std::size_t>(block_)];
  }

  void label() {
    Statement& s = add(Statement::Kind::label);
    s.name = cursor_.next().text;
    cursor_.next();
    const Token& token = cursor_.peek();
    if (token.is_word("branchtargets") || token.is_word("calltargets")) {
      s.kind = Statement::Kind::targets;
      const std::string list = "." + std::string(cursor_.next().text);
      do {
        OperandSyntax target;
        target.kind = OperandSyntax::Kind::name;
        target.position = cursor_.position();
        target.name = cursor_.expect_identifier(list == ".calltargets" ? "a function" : "a label");
        s.operands.push_back(target);
      } while (cursor_.accept(","));
      cursor_.expect(";", list);
    } else if (token.is_word("callprototype")) {
      prototype(s);
    }
  }

  /// Parses `.callprototype (results) _ (parameters) .noreturn;`
  void prototype(Statement& s) {
    s.kind = Statement::Kind::prototype;
    cursor_.next();
    if (cursor_.peek().is("(")) s.prototype_results = parse_parameter_list(cursor_);
    cursor_.expect_identifier("_ in the place of the function's name");
    if (cursor_.peek().is("(")) s.prototype_parameters = parse_parameter_list(cursor_);
    while (cursor_.accept_word("noreturn") || cursor_.accept_word("unified")) {
    }
    cursor_.expect(";", ".callprototype");
  }

  void directive(const Token& word) {
    bool is_extern = false;
    while (cursor_.peek().is_word("extern") || cursor_.peek().is_word("visible"))
      is_extern |= cursor_.next().text == "extern";
    if (cursor_.peek().kind == TokenKind::dot_word && state_space_of(cursor_.peek().text)) {
      for (Variable& v : parse_declaration(cursor_, is_extern, body_.names)) {
        Statement& s = add(Statement::Kind::declaration);
        s.position = v.position;
        s.variable = std::move(v);
      }
    } else if (word.text == "loc") {
      location();
    } else if (word.text == "pragma") {
      cursor_.next();
      while (!cursor_.at_end() && !cursor_.peek().is(";")) cursor_.next();
      cursor_.expect(";", ".pragma");
    } else if (word.text == "file") {
      cursor_.next();
      cursor_.expect_integer("a number after .file");
      while (cursor_.peek().kind == TokenKind::string) cursor_.next();
    } else {
      cursor_.fail("unknown directive " + describe(word),
                   ".reg .shared .local .param .loc .pragma .branchtargets .calltargets .callprototype");
    }
  }

  /// Parses `.loc file line column[, function_name label[+n], inlined_at file line column]`
  void location() {
    Statement& s = add(Statement::Kind::location);
    cursor_.next();
    s.source_file = static_cast<std::uint32_t>(cursor_.expect_integer("a file number"));
    s.source_line = static_cast<std::uint32_t>(cursor_.expect_integer("a line number"));
    cursor_.expect_integer("a column number");
    while (cursor_.accept(",")) {
      cursor_.expect_identifier("function_name or inlined_at");
      while (cursor_.peek().kind == TokenKind::integer || cursor_.peek().is("+") ||
             (cursor_.peek().kind == TokenKind::identifier && label_of_location()))
        cursor_.next();
    }
  }
  bool label_of_location() const { return cursor_.peek(1).is(",") || cursor_.peek(1).is("+"); }

  void instruction() {
    GuardSyntax guard;
    if (cursor_.peek().is("@")) {
      guard.position = cursor_.position();
      cursor_.next();
      guard.negated = cursor_.accept("!");
      guard.predicate = cursor_.expect_identifier("a predicate after \"@\"");
    }
    Statement& s = add(Statement::Kind::instruction);
    s.guard = guard;
    if (cursor_.peek().kind != TokenKind::identifier) cursor_.fail_expected("an instruction");
    const Token mnemonic = cursor_.next();
    s.name = mnemonic.text;
    while (cursor_.peek().kind == TokenKind::dot_word) {
      const Token word = cursor_.next();
      s.suffixes.push_back({word.text, word.position});
      if (word.text == "const" && !cursor_.peek(1).is("]") && cursor_.peek(3).kind == TokenKind::dot_word)
        skip_constant_bank(cursor_);
    }
    require_supported(cursor_.source(), s, dialect_);
    if (s.name == "call") {
      s.kind = Statement::Kind::call;
      call(s.call);
    } else if (!cursor_.peek().is(";")) {
      do {
        s.operands.push_back(operand(0));
        skip_unified();
      } while (cursor_.accept(","));
    }
    if (!cursor_.accept(";")) cursor_.fail_expected("\";\" after the operands of " + std::string(s.name));
  }

  void skip_unified() {
    if (cursor_.peek().is_word("unified")) cursor_.next();
  }

  OperandSyntax operand(int depth) {
    OperandSyntax o;
    o.position = cursor_.position();
    if (cursor_.peek().is("{")) {
      vector(o, depth);
    } else if (cursor_.peek().is("[")) {
      address(o);
    } else if (cursor_.peek().kind == TokenKind::identifier && cursor_.peek().text != "WARP_SZ") {
      name(o);
    } else if (cursor_.peek().is("!") && cursor_.peek(1).kind == TokenKind::identifier) {
      cursor_.next();
      name(o);
      o.negated = true;
    } else if (starts_constant(cursor_.peek())) {
      o.kind = OperandSyntax::Kind::constant;
      o.constant = parse_constant(cursor_);
    } else {
      cursor_.fail_expected("an operand");
    }
    if (cursor_.accept("|")) {
      if (!o.second.empty() || depth != 0) cursor_.fail("too many destinations joined by \"|\"");
      OperandSyntax second = operand(depth + 1);
      o.second.push_back(std::move(second));
    }
    return o;
  }

  void vector(OperandSyntax& o, int depth) {
    if (depth > 1) cursor_.fail("vector operands cannot nest");
    cursor_.next();
    o.kind = OperandSyntax::Kind::vector;
    do {
      if (o.items.size() == kMostVectorItems) cursor_.fail("too many elements in a vector operand", "2 or 4");
      o.items.push_back(operand(depth + 2));
    } while (cursor_.accept(","));
    cursor_.expect("}", "the elements of a vector operand");
  }

  void address(OperandSyntax& o) {
    cursor_.next();
    o.kind = OperandSyntax::Kind::address;
    if (cursor_.peek().kind == TokenKind::identifier && cursor_.peek().text != "WARP_SZ")
      name(o);
    else if (starts_constant(cursor_.peek()))
      o.offset = parse_integer_constant(cursor_);
    else
      cursor_.fail_expected("a register, a variable or a constant in the address");
    o.kind = OperandSyntax::Kind::address;
    while (cursor_.accept(",")) {
      if (o.items.size() == kMostTextureItems) cursor_.fail("too many operands in the brackets");
      o.items.push_back(operand(1));
    }
    cursor_.expect("]", "an address");
  }

  void name(OperandSyntax& o) {
    o.name = cursor_.next().text;
    o.kind = o.name == "_" ? OperandSyntax::Kind::sink : OperandSyntax::Kind::name;
    if (cursor_.peek().kind == TokenKind::dot_word) o.component = cursor_.next().text;
    if (cursor_.peek().is("-") || cursor_.accept("+")) {
      o.offset = parse_integer_constant(cursor_);
      o.has_offset = true;
    }
  }

  void call(CallSyntax& c) {
    if (cursor_.peek().is("(")) {
      c.results = call_list();
      cursor_.expect(",", "the results of a call");
    }
    c.callee = operand(1);
    if (cursor_.accept(",")) {
      if (cursor_.peek().is("(")) {
        c.arguments = call_list();
      } else {
        c.list = cursor_.expect_identifier("a list of targets");
      }
      if (cursor_.accept(",")) c.list = cursor_.expect_identifier("a list of targets");
    }
  }

  std::vector<OperandSyntax> call_list() {
    std::vector<OperandSyntax> list;
    cursor_.expect("(", "call");
    if (cursor_.accept(")")) return list;
    do {
      list.push_back(operand(1));
    } while (cursor_.accept(","));
    cursor_.expect(")", "the arguments of a call");
    return list;
  }

  TokenCursor cursor_;
  const Dialect& dialect_;
  Body body_;
  int block_ = 0;
};

}  // namespace

Body parse_body(const Source& source, const std::vector<Token>& tokens, TokenRange range,
                const Dialect& dialect) {
  return BodyParser(source, tokens, range, dialect).run();
}

}  // namespace heddle::ptx
