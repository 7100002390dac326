#include "models/ptx/frame.h"

#include "models/ptx/align.h"

#include <charconv>

namespace heddle::ptx {
namespace {

int register_bits(const Variable& v) { return v.type == isa::DataType::pred ? 1 : isa::bits_of(v.type); }

}  // namespace

Frame::Frame(const Source& source, ProgramBuilder& builder, const Body& body, std::string prefix,
             std::uint64_t local_base)
    : source_(source),
      builder_(builder),
      prefix_(std::move(prefix)),
      scopes_(1),
      block_parent_(body.block_parent),
      local_next_(local_base),
      local_end_(local_base) {
  collect_labels(body);
  for (const Statement& s : body.statements)
    if (s.kind == Statement::Kind::declaration && s.variable.space == StateSpace::local)
      local_end_ = align_up(local_end_, s.variable.alignment()) + s.variable.bytes();
}

void Frame::collect_labels(const Body& body) {
  for (const Statement& s : body.statements) {
    const std::pair key{s.block, s.name};
    bool is_new = true;
    if (s.kind == Statement::Kind::label)
      is_new = labels_.emplace(key, kNone).second;
    else if (s.kind == Statement::Kind::targets)
      is_new = targets_.emplace(key, &s).second;
    else
      continue;
    if (!is_new) source_.fail(s.position, "label \"" + std::string(s.name) + "\" is defined twice");
    if (s.kind == Statement::Kind::label) labels_[key] = builder_.new_label(prefix_ + std::string(s.name));
  }
}

void Frame::declare(const Variable& variable, Symbol symbol) {
  Scope& scope = scopes_.back();
  if (!scope.symbols.emplace(variable.name, std::move(symbol)).second)
    source_.fail(variable.position, "\"" + std::string(variable.name) + "\" is declared twice in one block");
}

void Frame::declare_register(const Variable& v) {
  if (!v.dimensions.empty()) source_.fail(v.position, "registers cannot be arrays");
  if (v.vector != 1 && v.type == isa::DataType::pred)
    source_.fail(v.position, "predicates cannot be vectors");
  if (v.range) {
    if (!scopes_.back().ranges.emplace(v.name, Range{*v.range, register_bits(v), v.vector}).second)
      source_.fail(v.position, "registers \"" + std::string(v.name) + "<>\" are declared twice in one block");
    return;
  }
  Symbol symbol;
  symbol.kind = v.vector == 1 ? Symbol::Kind::reg : Symbol::Kind::vector_reg;
  symbol.bits = register_bits(v);
  symbol.lanes.resize(v.vector == 1 ? 0 : static_cast<std::size_t>(v.vector));
  declare(v, std::move(symbol));
}

std::uint64_t Frame::place_local(const Variable& variable) {
  local_next_ = align_up(local_next_, variable.alignment());
  const std::uint64_t offset = local_next_;
  local_next_ += variable.bytes();
  builder_.reserve_local(local_next_);
  return offset;
}

Symbol Frame::make_register(std::string_view name, int bits, int vector) {
  Symbol symbol;
  symbol.kind = vector == 1 ? Symbol::Kind::reg : Symbol::Kind::vector_reg;
  symbol.bits = bits;
  const std::string full = prefix_ + std::string(name);
  if (vector == 1) {
    symbol.reg = bits == 1 ? builder_.new_predicate(full) : builder_.new_register(bits, full);
    return symbol;
  }
  static constexpr const char* kComponents = "xyzw";
  for (int i = 0; i < vector; ++i)
    symbol.lanes.push_back(builder_.new_register(bits, full + "." + kComponents[i]));
  return symbol;
}

Symbol* Frame::find_in_ranges(Scope& scope, std::string_view name) {
  // Tries every split of the name into prefix and number, because the prefix of a register range may end in
  // digits: "%f1<4>" declares %f10 to %f13.
  for (std::size_t digits = name.size(); digits-- > 1 && name[digits] >= '0' && name[digits] <= '9';) {
    const auto range = scope.ranges.find(name.substr(0, digits));
    if (range == scope.ranges.end()) continue;
    std::uint64_t number = 0;
    const std::string_view text = name.substr(digits);
    if (text.size() > 1 && text[0] == '0') continue;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{}) continue;
    if (number >= range->second.count) continue;
    Symbol symbol = make_register(name, range->second.bits, range->second.vector);
    return &scope.symbols.emplace(name, std::move(symbol)).first->second;
  }
  return nullptr;
}

Symbol* Frame::find(std::string_view name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    const auto it = scope.symbols.find(name);
    if (it == scope.symbols.end()) {
      if (Symbol* symbol = find_in_ranges(scope, name)) return symbol;
      continue;
    }
    Symbol& symbol = it->second;
    const bool unborn =
        symbol.kind == Symbol::Kind::reg
            ? symbol.reg.kind == isa::Operand::Kind::none
            : symbol.kind == Symbol::Kind::vector_reg && symbol.lanes[0].kind == isa::Operand::Kind::none;
    if (unborn)
      symbol = make_register(name, symbol.bits,
                             symbol.kind == Symbol::Kind::reg ? 1 : static_cast<int>(symbol.lanes.size()));
    return &symbol;
  }
  return outer_ ? outer_->find(name) : nullptr;
}

LabelId Frame::find_label(std::string_view name, int block) const {
  for (; block >= 0; block = block_parent_[static_cast<std::size_t>(block)])
    if (const auto it = labels_.find({block, name}); it != labels_.end()) return it->second;
  return kNone;
}

const Statement* Frame::find_targets(std::string_view name, int block) const {
  for (; block >= 0; block = block_parent_[static_cast<std::size_t>(block)])
    if (const auto it = targets_.find({block, name}); it != targets_.end()) return it->second;
  return nullptr;
}

}  // namespace heddle::ptx
