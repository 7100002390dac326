#include "models/ptx/parser.h"

#include <algorithm>
#include <iterator>

#include "models/ptx/declaration_parser.h"

namespace heddle::ptx {
namespace {

constexpr const char* kDirectives =
    ".version .target .address_size .file .section .alias .pragma .visible .extern .weak .common .entry "
    ".func .global .const .shared .local .param .reg";

bool begins_directive(std::string_view word) {
  constexpr std::string_view kWords[] = {"visible", "extern", "weak",    "common", "entry",   "func",
                                         "tex",     "file",   "section", "alias",  "version", "target"};
  return state_space_of(word) || std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

class ModuleParser {
 public:
  ModuleParser(const Source& source, const std::vector<Token>& tokens)
      : cursor_(source, tokens, {0, tokens.size()}) {}

  ModuleSyntax run() {
    // Reports an unclosed comment first. Otherwise the text after the comment could be parsed as part of a
    // function that no kernel uses. Errors in such a function are not reported.
    const std::span<const Token> tokens = cursor_.tokens();
    if (tokens.size() > 1 && tokens[tokens.size() - 2].kind == TokenKind::bad &&
        tokens[tokens.size() - 2].text.starts_with("/*"))
      cursor_.source().fail(tokens[tokens.size() - 2].position, "a comment that is never closed by */");
    while (!cursor_.at_end()) directive();
    for (Function& f : module_.functions) parameters_of_body(f);
    return std::move(module_);
  }

 private:
  void directive() {
    if (cursor_.accept(";")) return;
    const Token word = cursor_.peek();
    if (word.kind != TokenKind::dot_word)
      cursor_.fail("unknown text at the top of the file: " + describe(word), kDirectives);
    if (word.text == "version" || word.text == "target") return text_directive(word);
    if (word.text == "address_size") return address_size();
    if (word.text == "file") return file();
    if (word.text == "section") return section();
    if (word.text == "alias") return alias();
    if (word.text == "pragma") return pragma();
    linkage();
  }

  void text_directive(const Token& word) {
    cursor_.next();
    std::string text;
    if (word.text == "version") {
      const Token number = cursor_.next();
      text = number.text;
      if (number.kind != TokenKind::float64)
        cursor_.source().fail(number.position, "bad PTX version", "such as 7.5");
      module_.version = text;
      module_.dialect.set_version(text);
      return;
    }
    do {
      text += (text.empty() ? "" : ", ") + std::string(cursor_.expect_identifier("a target such as sm_75"));
    } while (cursor_.accept(","));
    module_.target = text;
    module_.dialect.set_target(text);
  }

  void address_size() {
    cursor_.next();
    const Position where = cursor_.position();
    const std::uint64_t bits = cursor_.expect_integer("32 or 64 after .address_size");
    if (bits != 64 && bits != 32)
      cursor_.source().fail(where, "unsupported .address_size " + std::to_string(bits), "32, 64");
    module_.address_bits = static_cast<int>(bits);
  }

  void file() {
    cursor_.next();
    const std::uint64_t number = cursor_.expect_integer("a number after .file");
    if (cursor_.peek().kind != TokenKind::string) cursor_.fail_expected("a file name in quotes");
    std::string& name = module_.files[number];
    name = cursor_.next().text;
    if (cursor_.peek().kind == TokenKind::string) name += "/" + std::string(cursor_.next().text);
    while (cursor_.accept(",")) cursor_.expect_integer("a time stamp or a size");
  }

  void section() {
    cursor_.next();
    cursor_.next();
    if (!cursor_.peek().is("{")) cursor_.fail_expected("\"{\" after the name of a section");
    cursor_.skip_brackets();
  }

  void alias() {
    cursor_.next();
    const std::string_view name = cursor_.expect_identifier("a function's alias");
    cursor_.expect(",", "an alias");
    module_.aliases[name] = cursor_.expect_identifier("the function that the alias stands for");
    cursor_.expect(";", ".alias");
  }

  void pragma() {
    cursor_.next();
    if (cursor_.peek().kind != TokenKind::string) cursor_.fail_expected("a string after .pragma");
    cursor_.next();
    cursor_.expect(";", ".pragma");
  }

  void linkage() {
    bool is_extern = false;
    while (cursor_.peek().is_word("visible") || cursor_.peek().is_word("extern") ||
           cursor_.peek().is_word("weak") || cursor_.peek().is_word("common"))
      is_extern |= cursor_.next().text == "extern";
    const Token word = cursor_.peek();
    if (word.is_word("entry") || word.is_word("func")) return function(is_extern);
    if (word.is_word("tex")) return old_texture();
    if (word.kind == TokenKind::dot_word && state_space_of(word.text)) {
      std::vector<Variable>& into = word.is_word("reg") ? module_.registers : module_.variables;
      for (Variable& v : parse_declaration(cursor_, is_extern, module_.names)) into.push_back(std::move(v));
      return;
    }
    cursor_.fail("unknown directive " + describe(word), kDirectives);
  }

  void old_texture() {
    Variable v;
    v.opaque = OpaqueType::texture;
    become_header(v);
    cursor_.next();
    while (cursor_.peek().kind == TokenKind::dot_word) cursor_.next();
    v.position = cursor_.position();
    v.name = cursor_.expect_identifier("the name of a texture");
    cursor_.expect(";", "a texture");
    module_.variables.push_back(v);
  }

  void function(bool is_extern) {
    Function f;
    f.is_entry = cursor_.next().text == "entry";
    f.is_extern = is_extern;
    attributes(f);
    if (!f.is_entry && cursor_.peek().is("(")) f.results = parse_parameter_list(cursor_);
    attributes(f);
    f.position = cursor_.position();
    f.name = cursor_.expect_identifier("the name of a function");
    attributes(f);
    if (cursor_.peek().is("(")) f.parameters = parse_parameter_list(cursor_);
    attributes(f);
    if (cursor_.peek().is("{")) {
      f.has_body = true;
      f.body = cursor_.skip_body(f.is_closed);
    } else if (!cursor_.accept(";") && cursor_.peek().kind != TokenKind::dot_word && !cursor_.at_end()) {
      cursor_.fail_expected("\";\" after a function header without a body");
    }
    record(std::move(f));
  }

  void parameters_of_body(Function& f) {
    if (!module_.dialect.has_parameters_in_body() || !f.is_entry || !f.has_body || !f.parameters.empty())
      return;
    TokenCursor body(cursor_.source(), cursor_.tokens(), f.body);
    while (!body.at_end()) {
      if (body.peek().is_word("param")) {
        for (Variable& v : parse_declaration(body, false, module_.names))
          f.parameters.push_back(std::move(v));
      } else if (body.peek().is("{")) {
        body.skip_brackets();
      } else {
        while (!body.at_end() && !body.next().is(";")) {
        }
      }
    }
  }

  void record(Function f) {
    const auto [it, is_new] = module_.function_by_name.emplace(f.name, module_.functions.size());
    if (is_new) {
      module_.functions.push_back(std::move(f));
      return;
    }
    Function& known = module_.functions[it->second];
    if (known.has_body && f.has_body)
      cursor_.source().fail(f.position, "function \"" + std::string(f.name) + "\" is defined twice");
    if (f.has_body) known = std::move(f);
  }

  void attributes(Function& f) {
    while (cursor_.peek().kind == TokenKind::dot_word && !begins_directive(cursor_.peek().text)) {
      const Token word = cursor_.next();
      if (word.text == "maxntid") {
        read_triple(f.max_threads);
      } else if (word.text == "reqntid") {
        read_triple(f.required_threads);
      } else if (word.text == "minnctapersm" || word.text == "maxnctapersm" || word.text == "maxnreg" ||
                 word.text == "abi_preserve" || word.text == "abi_preserve_control" ||
                 word.text == "retaddr_allocno" || word.text == "maxclusterrank") {
        cursor_.expect_integer("a number after ." + std::string(word.text));
      } else if (word.text == "pragma") {
        cursor_.next();
        cursor_.accept(";");
      } else if (word.text == "attribute") {
        if (!cursor_.peek().is("(")) cursor_.fail_expected("\"(\" after .attribute");
        cursor_.skip_brackets();
      } else if (word.text != "noreturn" && word.text != "unified") {
        refuse_attribute(f, word);
      }
    }
  }

  void refuse_attribute(Function& f, const Token& word) {
    const bool cluster = word.text.find("cluster") != std::string_view::npos;
    if (!f.refusal)
      f.refusal = cluster
                      ? Refusal{word.position, "." + std::string(word.text), {}, "clusters"}
                      : Refusal{word.position,
                                "unknown directive ." + std::string(word.text),
                                ".maxntid .reqntid .minnctapersm .maxnctapersm .maxnreg .pragma .noreturn",
                                {}};
    while (cursor_.peek().kind == TokenKind::integer || cursor_.peek().is(",")) cursor_.next();
  }

  void read_triple(std::uint32_t (&into)[3]) {
    for (int i = 0; i < 3; ++i) into[i] = 1;
    int i = 0;
    do {
      const Position where = cursor_.position();
      const std::uint64_t n = cursor_.expect_integer("a number of threads");
      if (i == 3 || n == 0 || n > 65536)
        cursor_.source().fail(where, "bad number of threads", "1 to 3 numbers, 1..65536");
      into[i++] = static_cast<std::uint32_t>(n);
    } while (cursor_.accept(","));
  }

  TokenCursor cursor_;
  ModuleSyntax module_;
};

}  // namespace

ModuleSyntax parse_module_syntax(const Source& source, const std::vector<Token>& tokens) {
  return ModuleParser(source, tokens).run();
}

}  // namespace heddle::ptx
