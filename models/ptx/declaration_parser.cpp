#include "models/ptx/declaration_parser.h"

#include <array>
#include <utility>

#include "models/isa/texture.h"
#include "models/isa/type_of_width.h"

namespace heddle::ptx {
namespace {

using isa::DataType;

// largest number of array elements: larger than any address window in bytes, but small enough that the
// product of sizes does not overflow
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 32;
constexpr std::uint64_t kLargestAlignment = 1 << 16;
constexpr std::uint64_t kLargestSet = 1 << 16;
constexpr std::uint64_t kMostConstantBanks = 11;  // number of constant banks, 0 to 10 (PTX ISA 2.1, 5.1.3)

/// Returns the type in which a variable of type `word` is stored. f16 and bf16 are stored as untyped bits.
/// Pairs of 16-bit integers, and types that only matrix elements have, are not allowed.
DataType stored_type(std::string_view word) {
  const DataType type = data_type_of(word);
  if (type >= DataType::tf32) return DataType::none;
  if (!isa::is_pair(type) && !isa::is_half(type)) return type;
  return isa::is_half(type) ? isa::bit_type(isa::bits_of(type)) : DataType::none;
}

OpaqueType opaque_type_of(std::string_view word) {
  return word == "texref"       ? OpaqueType::texture
         : word == "samplerref" ? OpaqueType::sampler
         : word == "surfref"    ? OpaqueType::surface
                                : OpaqueType::none;
}

struct Prefix {
  Variable variable;
  bool typed = false;
};

void refuse(Variable& variable, Position where, std::string what, std::string allowed = {},
            std::string feature = {}) {
  if (!variable.refusal)
    variable.refusal = Refusal{where, std::move(what), std::move(allowed), std::move(feature)};
}

std::uint64_t parse_alignment(TokenCursor& cursor) {
  const Position where = cursor.position();
  const std::uint64_t align = cursor.expect_integer("an alignment after .align");
  if (align == 0 || (align & (align - 1)) != 0 || align > kLargestAlignment)
    cursor.source().fail(where, "bad alignment " + std::to_string(align), "a power of two up to 65536");
  return align;
}

void parse_type_word(TokenCursor& cursor, const Token& word, Prefix& prefix) {
  Variable& v = prefix.variable;
  v.type = stored_type(word.text);
  v.opaque = opaque_type_of(word.text);
  if (v.type == DataType::none) {
    if (const char* const name = refused_suffix(word.text))
      refuse(v, word.position, "." + std::string(word.text) + " of a variable", {}, name);
    else if (v.opaque == OpaqueType::none)
      refuse(v, word.position, "unknown type ." + std::string(word.text) + " of a variable",
             ".pred .b8 .b16 .b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .f16x2 .f32 .f64 .texref "
             ".samplerref .surfref");
    v.type = DataType::b64;
  }
  if (prefix.typed) cursor.source().fail(word.position, "a second type in one declaration");
  prefix.typed = true;
}

/// Parses attributes of a kernel parameter such as `.ptr .global .align 4`. Returns true for a pointer to
/// shared memory. All other attributes have no effect.
bool parse_pointer_attributes(TokenCursor& cursor) {
  bool shared = false;
  for (;;) {
    if (cursor.accept_word("align")) {
      parse_alignment(cursor);
    } else if (cursor.peek().kind == TokenKind::dot_word && state_space_of(cursor.peek().text)) {
      shared = state_space_of(cursor.next().text) == StateSpace::shared;
    } else {
      return shared;
    }
  }
}

Prefix parse_prefix(TokenCursor& cursor) {
  Prefix prefix;
  Variable& v = prefix.variable;
  while (cursor.peek().kind == TokenKind::dot_word) {
    const Token word = cursor.next();
    if (word.text == "align") {
      v.align = parse_alignment(cursor);
    } else if (word.text == "v2" || word.text == "v4") {
      v.vector = word.text == "v2" ? 2 : 4;
    } else if (word.text == "ptr") {
      v.shared_pointer = parse_pointer_attributes(cursor);
    } else if (word.text == "attribute") {
      if (!cursor.peek().is("(")) cursor.fail_expected("\"(\" after .attribute");
      cursor.skip_brackets();
    } else {
      parse_type_word(cursor, word, prefix);
    }
  }
  return prefix;
}

void parse_dimensions(TokenCursor& cursor, Variable& v) {
  while (cursor.accept("[")) {
    std::uint64_t size = 0;
    if (!cursor.peek().is("]")) {
      const Position where = cursor.position();
      const std::int64_t value = parse_integer_constant(cursor);
      if (value < 0 || static_cast<std::uint64_t>(value) > kMostElements)
        cursor.source().fail(where, "bad array size " + std::to_string(value));
      size = static_cast<std::uint64_t>(value);
    } else if (!v.dimensions.empty()) {
      cursor.fail("only the first size of an array may be left out");
    }
    v.dimensions.push_back(size);
    cursor.expect("]", "an array size");
    std::uint64_t elements = 1;
    for (const std::uint64_t d : v.dimensions) {
      elements *= d ? d : 1;
      if (elements > kMostElements) cursor.fail("array of too many elements");
    }
  }
}

TokenRange skip_initializer(TokenCursor& cursor) {
  const std::size_t begin = cursor.index();
  int parentheses = 0;
  while (!cursor.at_end()) {
    const Token& token = cursor.peek();
    if (token.is("{")) {
      cursor.skip_brackets();
      continue;
    }
    if (token.is("(")) ++parentheses;
    if (token.is(")")) --parentheses;
    if (parentheses == 0 && (token.is(";") || token.is(","))) break;
    cursor.next();
  }
  if (cursor.index() == begin) cursor.fail_expected("a value after \"=\"");
  return {begin, cursor.index()};
}

Variable parse_declarator(TokenCursor& cursor, const Variable& prefix) {
  Variable v = prefix;
  v.position = cursor.position();
  v.name = cursor.expect_identifier("the name of a variable");
  if (cursor.accept("<")) {
    const std::uint64_t count = cursor.expect_integer("a number of registers");
    cursor.expect(">", "a number of registers");
    v.range = count;
  }
  parse_dimensions(cursor, v);
  return v;
}

/// Declares name0 to name(n-1) for a declaration `name<n>` of variables in memory.
void add_set(TokenCursor& cursor, const Variable& set, GeneratedNames& names, std::vector<Variable>& into) {
  if (*set.range > kLargestSet)
    cursor.source().fail(set.position, "a set of " + std::to_string(*set.range) + " variables",
                         "up to " + std::to_string(kLargestSet));
  for (std::uint64_t n = 0; n < *set.range; ++n) {
    Variable member = set;
    member.name = names.emplace_back(std::string(set.name) + std::to_string(n));
    member.range.reset();
    into.push_back(member);
  }
}

}  // namespace

void skip_constant_bank(TokenCursor& cursor) {
  if (!cursor.peek().is("[")) return;
  cursor.next();
  const Position where = cursor.position();
  if (cursor.expect_integer("the number of a constant bank") >= kMostConstantBanks)
    cursor.source().fail(where, "no such constant bank", "0..10");
  cursor.expect("]", "the number of a constant bank");
}

std::uint64_t Variable::count() const {
  std::uint64_t n = 1;
  for (const std::uint64_t d : dimensions) n *= d;
  return n;
}

std::optional<StateSpace> state_space_of(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, StateSpace>, 6> kSpaces = {
      {{"reg", StateSpace::reg},
       {"shared", StateSpace::shared},
       {"local", StateSpace::local},
       {"param", StateSpace::param},
       {"global", StateSpace::global},
       {"const", StateSpace::constant}}};
  for (const auto& [name, space] : kSpaces)
    if (name == word) return space;
  return std::nullopt;
}

DataType data_type_of(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, DataType>, 29> kTypes = {
      {{"pred", DataType::pred},     {"b8", DataType::b8},         {"b16", DataType::b16},
       {"b32", DataType::b32},       {"b64", DataType::b64},       {"u8", DataType::u8},
       {"u16", DataType::u16},       {"u32", DataType::u32},       {"u64", DataType::u64},
       {"s8", DataType::s8},         {"s16", DataType::s16},       {"s32", DataType::s32},
       {"s64", DataType::s64},       {"f32", DataType::f32},       {"f64", DataType::f64},
       {"f16", DataType::f16},       {"bf16", DataType::bf16},     {"f16x2", DataType::f16x2},
       {"bf16x2", DataType::bf16x2}, {"u16x2", DataType::u16x2},   {"s16x2", DataType::s16x2},
       {"tf32", DataType::tf32},     {"e4m3", DataType::e4m3},     {"e5m2", DataType::e5m2},
       {"e4m3x2", DataType::e4m3x2}, {"e5m2x2", DataType::e5m2x2}, {"s4", DataType::s4},
       {"u4", DataType::u4},         {"b1", DataType::b1}}};
  for (const auto& [name, type] : kTypes)
    if (name == word) return type;
  return DataType::none;
}

void become_header(Variable& v) {
  v.space = StateSpace::constant;
  v.type = DataType::b8;
  v.align = isa::kTextureHeaderBytes;
  v.header_bytes = isa::kTextureHeaderBytes;
}

std::vector<Variable> parse_declaration(TokenCursor& cursor, bool is_extern, GeneratedNames& names) {
  const Token space = cursor.next();
  if (space.text == "const") skip_constant_bank(cursor);
  Prefix prefix = parse_prefix(cursor);
  prefix.variable.space = *state_space_of(space.text);
  prefix.variable.is_extern = is_extern;
  if (!prefix.typed) cursor.fail_expected("a type in the declaration");
  if (prefix.variable.opaque != OpaqueType::none) become_header(prefix.variable);
  std::vector<Variable> variables;
  do {
    Variable v = parse_declarator(cursor, prefix.variable);
    if (cursor.accept("=")) v.initializer = skip_initializer(cursor);
    if (v.range && v.space != StateSpace::reg)
      add_set(cursor, v, names, variables);
    else
      variables.push_back(v);
  } while (cursor.accept(","));
  cursor.expect(";", "a declaration");
  return variables;
}

std::vector<Variable> parse_parameter_list(TokenCursor& cursor) {
  std::vector<Variable> parameters;
  cursor.expect("(", "the name");
  if (cursor.accept(")")) return parameters;
  do {
    const Token space = cursor.peek();
    if (!space.is_word("param") && !space.is_word("reg")) cursor.fail_expected(".param or .reg");
    cursor.next();
    Prefix prefix = parse_prefix(cursor);
    prefix.variable.space = *state_space_of(space.text);
    if (!prefix.typed) cursor.fail_expected("the type of the parameter");
    parameters.push_back(parse_declarator(cursor, prefix.variable));
    if (parameters.back().range && space.is_word("param"))
      cursor.source().refuse(parameters.back().position, "sets of parameters",
                             std::string(parameters.back().name) + "<>");
  } while (cursor.accept(","));
  cursor.expect(")", "the parameters");
  return parameters;
}

}  // namespace heddle::ptx
