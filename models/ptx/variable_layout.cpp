// Places the module's .global and .const variables in the address space and evaluates their initialisers,
// which may hold addresses of other variables (PTX ISA 5.4.4).

#include <algorithm>
#include <bit>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/address_size.h"
#include "models/isa/runtime_call.h"
#include "models/ptx/constant_expression.h"
#include "models/ptx/module_data.h"

namespace heddle::ptx {
namespace {

constexpr std::uint64_t kMostInitialBytes = 256 << 20;  // more is taken for a mistake
constexpr std::uint64_t kBaseAlignment =
    256;  // what cudaMalloc promises, so that vector accesses of a variable work

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

/// Reads one initialiser, brace by brace, into the bytes of a variable.
class Initializer {
 public:
  Initializer(const ModuleData& module, const Variable& variable)
      : module_(module), variable_(variable), cursor_(module.source, module.tokens, variable.initializer) {}

  /// Elements of an array whose first size was left out.
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

  /// Braces of dimension `d`, whose elements start at element `base`.
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

  /// `0xFF00(symbol+4)`: the byte of the address that the mask selects.
  std::uint64_t masked_address(std::uint64_t mask) {
    cursor_.next();
    const std::uint64_t value = address();
    cursor_.expect(")", "a masked address");
    return mask == 0 ? 0 : (value & mask) >> std::countr_zero(mask);
  }

  /// `symbol`, `symbol+4`, `generic(symbol)+4`, `generic(symbol+4)`
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

/// Runs `step`; an error becomes the symbol's refusal, reported when a kernel uses the variable.
template <class Step>
void refuse_later(ModuleSymbol& symbol, Step step) {
  try {
    step();
  } catch (const Error& e) {
    std::string text = e.what();
    const std::string prefix = e.where() + ": ";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    text.resize(
        std::min(text.rfind(" in \""), text.size()));  // the line is quoted where the variable is used
    symbol.refusal = Refusal{symbol.variable->position, text, {}};
  }
}

/// Where the next variable of a program goes.
struct FreeSpace {
  std::uint64_t global, constant;
};

class Layout {
 public:
  Layout(ModuleData& module, FreeSpace& free) : module_(module), free_(free) {}

  /// Gives addresses to what the module defines.
  void place_all() {
    for (const Variable& v : module_.syntax.variables) declare(v);
    for_each([this](ModuleSymbol& symbol) {
      if (is_device_memory(*symbol.variable) && !symbol.refusal) place(symbol);
    });
  }

  /// The records of printf, where the module calls it.
  void place_printf_buffer() {
    const Function* const printf = module_.find_function("vprintf");
    if (!printf || printf->has_body) return;
    isa::ModuleVariable buffer;
    buffer.name = isa::kPrintfBuffer;
    buffer.address = align_up(free_.global, kBaseAlignment);
    buffer.bytes = isa::kPrintfFirst + isa::kPrintfBytes;
    free_.global = buffer.address + buffer.bytes + isa::kAllocationGap;
    module_.variables.push_back(std::move(buffer));
  }

  /// What the module declares only is where another module defines it.
  void link(const ModuleData& other) {
    for_each([&](ModuleSymbol& symbol) {
      const auto it =
          symbol.variable->is_extern ? other.symbols.find(symbol.variable->name) : other.symbols.end();
      if (it == other.symbols.end()) return;
      const ModuleSymbol& there = it->second;
      if (there.variable->is_extern || there.address == 0 || there.variable->space != symbol.variable->space)
        return;
      symbol.address = there.address;
      symbol.bytes = there.bytes;
      symbol.refusal.reset();
      symbol.elsewhere = true;
    });
  }

  void record_all() {
    for_each([this](ModuleSymbol& symbol) {
      if (symbol.address != 0 && !symbol.elsewhere) record(symbol);
    });
    std::sort(module_.variables.begin(), module_.variables.end(),
              [](const auto& a, const auto& b) { return a.address < b.address; });
  }

 private:
  template <class Action>
  void for_each(Action action) {
    for (const Variable& v : module_.syntax.variables) {
      ModuleSymbol& symbol = module_.symbols.at(v.name);
      if (symbol.variable == &v) action(symbol);
    }
  }

  static bool is_device_memory(const Variable& v) {
    return v.space == StateSpace::global || v.space == StateSpace::constant;
  }

  /// A definition takes the place of `extern` declarations of the same name.
  void declare(const Variable& v) {
    ModuleSymbol& symbol = module_.symbols[v.name];
    if (symbol.variable && !symbol.variable->is_extern) {
      if (v.is_extern) return;
      module_.source.fail(v.position, "variable \"" + std::string(v.name) + "\" is defined twice");
    }
    symbol = ModuleSymbol{};
    symbol.variable = &v;
    symbol.refusal = v.refusal;
  }

  void place(ModuleSymbol& symbol) {
    const Variable& v = *symbol.variable;
    refuse_later(symbol, [&] {
      symbol.bytes = v.bytes();
      if (v.range || v.type == isa::DataType::pred)
        module_.source.fail(v.position, "bad variable of the module");
      if (!v.is_unsized()) return;
      if (v.initializer.begin == v.initializer.end)
        module_.source.fail(v.position,
                            "variable \"" + std::string(v.name) + "\" is defined in another file");
      const std::uint64_t first = Initializer(module_, v).count_first_dimension();
      symbol.bytes = v.element_bytes() * first;
      for (std::size_t d = 1; d < v.dimensions.size(); ++d) symbol.bytes *= v.dimensions[d];
    });
    if (symbol.refusal) return;
    std::uint64_t& next = v.space == StateSpace::global ? free_.global : free_.constant;
    const std::uint64_t base = align_up(next, std::max(v.alignment(), kBaseAlignment));
    const std::uint64_t window_end =
        v.space == StateSpace::global ? layout_.buffers : isa::kConstWindow + isa::kWindowBytes;
    if (base + symbol.bytes > window_end) {
      symbol.refusal = Refusal{v.position, "the variables of the module exceed their window", {}};
      return;
    }
    symbol.address = base;
    next = base + symbol.bytes + isa::kAllocationGap;
  }

  void record(ModuleSymbol& symbol) {
    const Variable& v = *symbol.variable;
    isa::ModuleVariable variable;
    variable.name = v.name;
    variable.space = v.space == StateSpace::global ? isa::Space::global : isa::Space::constant;
    variable.address = symbol.address;
    variable.bytes = symbol.bytes;
    if (v.initializer.begin != v.initializer.end)
      refuse_later(symbol, [&] {
        if (symbol.bytes > kMostInitialBytes)
          module_.source.fail(v.position, "an initialised variable of this size");
        std::vector<std::uint64_t> shape = v.dimensions;
        if (!shape.empty() && shape[0] == 0) {
          std::uint64_t row = v.element_bytes();
          for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
          shape[0] = row ? symbol.bytes / row : 0;
        }
        if (v.vector != 1) shape.push_back(static_cast<std::uint64_t>(v.vector));
        variable.initial = Initializer(module_, v).read(shape, symbol.bytes);
      });
    module_.variables.push_back(std::move(variable));
  }

  ModuleData& module_;
  const isa::AddressLayout layout_ = isa::address_layout(module_.syntax.address_bits);
  FreeSpace& free_;
};

}  // namespace

void lay_out_variables(const std::vector<std::unique_ptr<ModuleData>>& modules) {
  const isa::AddressLayout layout = isa::address_layout(modules.front()->syntax.address_bits);
  FreeSpace free{layout.module_globals + isa::kAllocationGap, isa::kConstWindow};
  std::vector<Layout> layouts;
  for (const auto& module : modules) layouts.emplace_back(*module, free);
  for (Layout& one : layouts) {
    one.place_all();
    one.place_printf_buffer();
  }
  for (std::size_t i = 0; i < modules.size(); ++i)
    for (std::size_t other = 0; other < modules.size(); ++other)
      if (i != other) layouts[i].link(*modules[other]);
  for (Layout& one : layouts) one.record_all();
}

}  // namespace heddle::ptx
