// Translates texture look-ups and queries of textures, samplers and surfaces (PTX ISA 9.0, 9.7.10).

#include <array>
#include <cstddef>

#include "models/isa/texture.h"
#include "models/ptx/declaration_parser.h"
#include "models/ptx/texture_lowering.h"
#include "models/ptx/texture_words.h"

namespace heddle::ptx {

using namespace isa;

namespace {

struct Attribute {
  std::string_view word;
  std::size_t at;
};
constexpr std::array<Attribute, 14> kAttributes = {
    {{"width", offsetof(TextureHeader, width)},
     {"height", offsetof(TextureHeader, height)},
     {"depth", offsetof(TextureHeader, depth)},
     {"channel_data_type", offsetof(TextureHeader, type)},
     {"channel_order", offsetof(TextureHeader, order)},
     {"normalized_coords", offsetof(TextureHeader, normalized)},
     {"array_size", offsetof(TextureHeader, layers)},
     {"num_mipmap_levels", offsetof(TextureHeader, levels)},
     {"num_samples", offsetof(TextureHeader, samples)},
     {"filter_mode", offsetof(TextureHeader, filter)},
     {"addr_mode_0", offsetof(TextureHeader, address)},
     {"addr_mode_1", offsetof(TextureHeader, address) + 4},
     {"addr_mode_2", offsetof(TextureHeader, address) + 8},
     {"force_unnormalized_coords", offsetof(TextureHeader, force_unnormalized)}}};

}  // namespace

TextureShape texture_shape_of(const FormMatch& match) {
  for (const std::string_view word : match.words)
    for (int shape = 1; shape <= static_cast<int>(TextureShape::acube); ++shape)
      if (word == name_of(static_cast<TextureShape>(shape))) return static_cast<TextureShape>(shape);
  return TextureShape::none;
}

/// Returns operand `number`. Throws Error if the operand does not have the form `[texture, ...]` with `items`
/// operands after the texture.
const OperandSyntax& TextureLowering::opaque_operand(const Statement& s, std::size_t number,
                                                     std::size_t items) const {
  const OperandSyntax& o = s.operands[number];
  if (o.kind != OperandSyntax::Kind::address || o.name.empty() || o.has_offset)
    scope_.fail(o.position, std::string(s.name) + " needs a texture or surface in brackets here");
  const bool sampler = items == 1 && o.items.size() == 2 && (s.name == "tex" || s.name == "tld4");
  if (o.items.size() != items && !sampler)
    scope_.fail(o.position, std::string(s.name) +
                                (items == 0 ? " takes no coordinates" : " needs coordinates after the name"));
  return o;
}

/// Returns the handle of a texture, sampler or surface. The handle is a register, the value of a kernel
/// parameter, or the address of a variable.
Operand TextureLowering::handle(const Statement& s, const OperandSyntax& o) {
  const int bits = scope_.context.module.syntax.address_bits;
  if (const Operand* reg = scope_.names_variable(o) ? nullptr : scope_.find_register(o)) {
    if (reg->bits != 64 && reg->bits != 32)
      scope_.fail(o.position, "a handle needs 64 or 32 bits, this register has " + std::to_string(reg->bits));
    return *reg;
  }
  const Symbol symbol = scope_.variable(o);
  if (symbol.kind == Symbol::Kind::address) {
    if (symbol.space != Space::constant)
      scope_.fail(o.position, "\"" + std::string(o.name) + "\" is no texture, sampler or surface");
    return Operand::make_immediate(symbol.address, bits);
  }
  if (symbol.bytes != 8 && symbol.bytes != 4)
    scope_.fail(o.position, "\"" + std::string(o.name) + "\" is no handle of 8 bytes");
  const int width = static_cast<int>(symbol.bytes) * 8;
  const Operand value = scope_.context.builder.new_register(width, scope_.frame.prefix() + "handle");
  places_.emit_block_access(s, Opcode::ld, width == 64 ? DataType::b64 : DataType::b32, symbol, value,
                            symbol.kind == Symbol::Kind::kernel_parameter ? symbol.address : 0);
  return value;
}

/// Returns the coordinates of a look-up: [layer,] x, y, z. In PTX the coordinates are a list in braces, a
/// vector register or a scalar. Elements after the last coordinate are padding and ignored.
std::vector<Operand> TextureLowering::coordinates(const Statement& s, const OperandSyntax& o, bool layer,
                                                  std::size_t count, DataType type) {
  const OperandSyntax spelled = scope_.spell_out(o);
  const std::vector<OperandSyntax> elements =
      spelled.kind == OperandSyntax::Kind::vector ? spelled.items : std::vector<OperandSyntax>{spelled};
  if (elements.size() < count + (layer ? 1 : 0))
    scope_.fail(o.position, std::to_string(elements.size()) + " coordinates",
                std::to_string(count + (layer ? 1 : 0)) + (layer ? ", the layer first" : ""));
  std::vector<Operand> operands;
  for (std::size_t e = 0; e < count + (layer ? 1 : 0); ++e)
    operands.push_back(operands_.source(s, elements[e], {layer && e == 0 ? DataType::u32 : type, false}));
  return operands;
}

void TextureLowering::look_up(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  const std::size_t operands = has_word(s.match, "grad") ? 4 : has_word(s.match, "level") ? 3 : 2;
  scope_.require_operands(s, s.name, operands, operands, "neither offsets nor depths to compare with");
  if (!s.operands[0].second.empty())
    scope_.context.module.source.refuse(s.operands[0].position, "sparse textures", "a second result");
  i.texture.shape = texture_shape_of(s.match);
  if (s.name == "tld4") {
    const std::size_t component = std::string_view("rgba").find(s.match.words[0]);
    i.texture.gather = static_cast<std::uint8_t>(component + 1);
  }
  i.memory.space = Space::global;
  operands_.vector_operands(s, s.operands[0], true, item);
  const OperandSyntax& o = opaque_operand(s, 1, 1);
  i.texture.own_sampler = o.items.size() == 2;
  i.add_src(handle(s, o));
  if (i.texture.own_sampler) i.add_src(handle(s, o.items[0]));
  const auto count = static_cast<std::size_t>(coordinates_of(i.texture.shape));
  for (const Operand& c : coordinates(s, o.items.back(), has_layers(i.texture.shape), count, i.source_type))
    i.add_src(c);
  scope_.emit(s, item);
}

void TextureLowering::query(const Statement& s, Item item) {
  Instruction& i = item.instruction;
  scope_.require_operands(s, has_word(s.match, "level") ? 3 : 2);
  i.add_dst(operands_.destination(s, s.operands[0], {i.type, false}));
  i.memory.space = Space::constant;
  for (const Attribute& attribute : kAttributes)
    if (has_word(s.match, attribute.word)) i.memory.offset = static_cast<std::int64_t>(attribute.at);
  i.add_src(handle(s, opaque_operand(s, 1, 0)));
  scope_.emit(s, item);
}

void TextureLowering::test_opaque_type(const Statement& s, Item item) {
  scope_.require_operands(s, 2);
  Instruction& i = item.instruction;
  const HeaderKind kind = has_word(s.match, "texref")       ? HeaderKind::texture
                          : has_word(s.match, "samplerref") ? HeaderKind::sampler
                                                            : HeaderKind::surface;
  i.add_dst(operands_.destination(s, s.operands[0], {DataType::pred, false}));
  const Operand object = handle(s, s.operands[1]);
  i.add_src(load_header(s, object, i.guard, DataType::u32, offsetof(TextureHeader, kind), 1).front());
  i.add_src(Operand::make_immediate(static_cast<std::uint32_t>(kind), 32));
  i.type = i.source_type = DataType::u32;
  i.modifiers.compare = Compare::eq;
  scope_.emit(s, item);
}

std::vector<Operand> TextureLowering::load_header(const Statement& s, const Operand& handle,
                                                  const Guard& guard, DataType type, std::size_t at,
                                                  std::size_t count) {
  Item item = make_item(Opcode::ld, type, {handle});
  Instruction& i = item.instruction;
  i.guard = guard;
  i.memory.space = Space::constant;
  i.memory.element_bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
  i.memory.elements = static_cast<std::uint8_t>(count);
  i.memory.offset = static_cast<std::int64_t>(at);
  std::vector<Operand> values;
  for (std::size_t e = 0; e < count; ++e) {
    values.push_back(scope_.context.builder.new_register(bits_of(type), scope_.frame.prefix() + "header"));
    i.add_dst(values.back());
  }
  scope_.emit(s, item);
  return values;
}

}  // namespace heddle::ptx
