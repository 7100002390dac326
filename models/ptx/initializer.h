#pragma once

// Parser for the initial contents of module variables (PTX ISA 5.4.4).

#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/ptx/align.h"
#include "models/ptx/constant_expression.h"
#include "models/ptx/module_data.h"

namespace heddle::ptx {

class Initializer {
 public:
  Initializer(const ModuleData& module, const Variable& variable)
      : module_(module), variable_(variable), cursor_(module.source, module.tokens, variable.initializer) {}

  std::uint64_t count_first_dimension() {
    TokenCursor cursor(module_.source, module_.tokens, variable_.initializer);
    if (!cursor.peek().is("{")) return 1;
    const TokenRange inside = cursor.skip_brackets();
    TokenCursor items(module_.source, module_.tokens, inside);
    std::uint64_t scalars = 0, braces = 0;
    while (!items.at_end()) {
      const bool nested = items.peek().is("{");
      skip_item(items);
      ++(nested ? braces : scalars);
      if (!items.accept(",")) break;
    }
    if (braces != 0) return braces + scalars;
    std::uint64_t row = static_cast<std::uint64_t>(variable_.vector);
    for (std::size_t d = 1; d < variable_.dimensions.size(); ++d) row *= variable_.dimensions[d];
    return row ? (scalars + row - 1) / row : 0;
  }

  std::vector<std::uint8_t> read(const std::vector<std::uint64_t>& shape, std::uint64_t bytes) {
    bytes_.assign(bytes, 0);
    shape_ = shape;
    if (cursor_.peek().is("{")) {
      level(0, 0, 0);
    } else {
      if (!shape_.empty()) cursor_.fail_expected("\"{\" before the elements of an array");
      value(0);
    }
    if (!cursor_.at_end()) cursor_.fail("unexpected " + describe(cursor_.peek()) + " in an initialiser");
    return std::move(bytes_);
  }

 private:
  void skip_item(TokenCursor& items) {
    int depth = 0;
    while (!items.at_end() && !(depth == 0 && items.peek().is(","))) {
      if (items.peek().is("(") || items.peek().is("{")) ++depth;
      if (items.peek().is(")") || items.peek().is("}")) --depth;
      items.next();
    }
  }

  std::uint64_t elements_below(std::size_t dimension) const {
    std::uint64_t n = 1;
    for (std::size_t d = dimension; d < shape_.size(); ++d) n *= shape_[d];
    return n;
  }

  void level(std::size_t d, std::uint64_t base, int depth) {
    if (depth > kDeepestNesting) cursor_.fail("an initialiser nests too deeply");
    cursor_.expect("{", "the variable");
    const std::uint64_t room = elements_below(d);
    std::uint64_t at = 0;
    while (!cursor_.peek().is("}")) {
      if (at >= room) cursor_.fail("too many values in an initialiser", std::to_string(room));
      if (cursor_.peek().is("{")) {
        const std::uint64_t row = d < shape_.size() ? elements_below(d + 1) : 1;
        at = align_up(at, row);
        if (at >= room) cursor_.fail("too many values in an initialiser", std::to_string(room));
        level(d + 1, base + at, depth + 1);
        at += row;
      } else {
        value(base + at);
        ++at;
      }
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect("}", "the values of an initialiser");
  }

  void value(std::uint64_t element) {
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::identifier && token.text != "WARP_SZ") return store(element, address());
    const Position where = token.position;
    const ConstantValue constant = parse_constant(cursor_);
    if (cursor_.peek().is("(")) return store(element, masked_address(constant.bits));
    store(element, convert(constant, where));
  }

  /// Parses a masked address such as `0xFF00(symbol+4)`. The mask selects one byte of the address. Returns this
  /// byte.
  std::uint64_t masked_address(std::uint64_t mask) {
    cursor_.next();
    const std::uint64_t value = address();
    cursor_.expect(")", "a masked address");
    return mask == 0 ? 0 : (value & mask) >> std::countr_zero(mask);
  }

  std::uint64_t address(int depth = 0) {
    if (depth > kDeepestNesting) cursor_.fail("an initialiser nests too deeply");
    const Position where = cursor_.position();
    const std::string_view name = cursor_.expect_identifier("a variable");
    std::uint64_t base = 0;
    if (name == "generic" && cursor_.accept("(")) {
      base = address(depth + 1);
      cursor_.expect(")", "generic(variable");
    } else {
      base = address_of(name, where);
    }
    if (cursor_.peek().is("+") || cursor_.peek().is("-"))
      base += static_cast<std::uint64_t>(parse_integer_constant(cursor_));
    return base;
  }

  std::uint64_t address_of(std::string_view name, Position where) const {
    if (const Function* f = module_.find_function(name)) return module_.address_of(*f);
    const auto it = module_.symbols.find(name);
    if (it == module_.symbols.end())
      module_.source.fail(where, "unknown variable \"" + std::string(name) + "\" in an initialiser");
    if (it->second.refusal) module_.source.fail(where, it->second.refusal->what, it->second.refusal->allowed);
    if (it->second.address == 0)
      module_.source.fail(where, "an initialiser may hold addresses of .global and .const variables only");
    return it->second.address;
  }

  std::uint64_t convert(const ConstantValue& constant, Position where) const {
    const isa::DataType type = variable_.type;
    if (constant.kind == ConstantValue::Kind::integer) {
      if (isa::is_float(type)) module_.source.fail(where, "an integer initialises a floating-point variable");
      return constant.bits;
    }
    const int bits = isa::bits_of(type);
    if (bits != 32 && bits != 64)
      module_.source.fail(where, "a floating-point value initialises a narrow variable");
    const double value = constant.kind == ConstantValue::Kind::float32
                             ? std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))
                             : std::bit_cast<double>(constant.bits);
    if (constant.kind == ConstantValue::Kind::float32 && bits == 32) return constant.bits;
    if (constant.kind == ConstantValue::Kind::float64 && bits == 64) return constant.bits;
    return bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                      : std::bit_cast<std::uint64_t>(value);
  }

  void store(std::uint64_t element, std::uint64_t value) {
    const std::size_t size = static_cast<std::size_t>(isa::bits_of(variable_.type)) / 8;
    for (std::size_t b = 0; b < size; ++b)
      bytes_[element * size + b] = static_cast<std::uint8_t>(value >> (8 * b));
  }

  const ModuleData& module_;
  const Variable& variable_;
  TokenCursor cursor_;
  std::vector<std::uint64_t> shape_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace heddle::ptx
