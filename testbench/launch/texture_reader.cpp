#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.h"
#include "models/core/object_form.h"
#include "models/core/unknown_name.h"
#include "testbench/launch/reading_context.h"

namespace heddle::launch {
namespace {

const TypeForm kAddressModeForm("launch", "address_mode", "'wrap'|'mirror'|'clamp'|'border'");
const ObjectForm kTextureForm("launch", "texture", "a texture",
                              {{"kind", "'texture'|'surface'|'sampler'"},
                               {"buffer", "text", "buffer of the texels"},
                               {"offset_bytes", "expression"},
                               {"shape", "'1d'|'2d'|'3d'|'a1d'|'a2d'|'cube'|'acube'"},
                               {"extents", "expression[1-3]"},
                               {"layers", "expression"},
                               {"pitch_bytes", "expression", "bytes from one row to the next"},
                               {"slice_rows", "expression", "rows from one slice, layer or face to the next"},
                               {"texel", "/^(u8|s8|u16|s16|u32|s32|f16|f32)(x[124])?$/"},
                               {"read", "'element'|'normalized'"},
                               {"coordinates", "'texels'|'normalized'"},
                               {"filter", "'point'|'linear'"},
                               {"address", "address_mode|address_mode[1-3]"},
                               {"border", "expression[4]"}});

template <class T>
struct Choice {
  const char* name;
  T value;
};

/// Reads one of several words. Throws Error, which lists all words, for any other word.
template <class T, std::size_t N>
T chosen(const ConfigNode& node, const char* what, const Choice<T> (&table)[N]) {
  const std::string text = ObjectReader::text_of(node);
  std::vector<std::string> known;
  for (const auto& row : table) {
    if (text == row.name) return row.value;
    known.emplace_back(row.name);
  }
  throw unknown_name(node.where(), what, text, known);
}

using isa::AddressMode;
using isa::ChannelType;
using isa::TextureShape;

constexpr Choice<TextureShape> kTextureShapes[] = {
    {"1d", TextureShape::d1},      {"2d", TextureShape::d2},   {"3d", TextureShape::d3},
    {"a1d", TextureShape::a1d},    {"a2d", TextureShape::a2d}, {"cube", TextureShape::cube},
    {"acube", TextureShape::acube}};
constexpr Choice<ChannelType> kTexelTypes[] = {{"u8", ChannelType::u8},   {"s8", ChannelType::s8},
                                               {"u16", ChannelType::u16}, {"s16", ChannelType::s16},
                                               {"u32", ChannelType::u32}, {"s32", ChannelType::s32},
                                               {"f16", ChannelType::f16}, {"f32", ChannelType::f32}};
constexpr Choice<isa::HeaderKind> kObjectKinds[] = {{"texture", isa::HeaderKind::texture},
                                                    {"surface", isa::HeaderKind::surface},
                                                    {"sampler", isa::HeaderKind::sampler}};
constexpr Choice<AddressMode> kAddressModes[] = {{"wrap", AddressMode::wrap},
                                                 {"mirror", AddressMode::mirror},
                                                 {"clamp", AddressMode::clamp_to_edge},
                                                 {"border", AddressMode::clamp_to_border}};
constexpr Choice<isa::FilterMode> kFilters[] = {{"point", isa::FilterMode::nearest},
                                                {"linear", isa::FilterMode::linear}};
constexpr Choice<bool> kReads[] = {{"element", false}, {"normalized", true}};
constexpr Choice<bool> kCoordinates[] = {{"texels", false}, {"normalized", true}};

/// Reads a texel type such as "u8x4": the type of a channel, and the number of channels (1, 2 or 4).
void read_texel(const ConfigNode& node, TextureSpec& spec) {
  ConfigNode type = node;
  const std::string text = ObjectReader::text_of(node);
  const std::size_t x = text.find('x');
  type.text = text.substr(0, x);
  spec.type = chosen(type, "type of a texel", kTexelTypes);
  if (x == std::string::npos) return;
  const std::string channels = text.substr(x + 1);
  if (channels == "2")
    spec.order = isa::ChannelOrder::rg;
  else if (channels == "4")
    spec.order = isa::ChannelOrder::rgba;
  else if (channels != "1")
    throw Error(node.where(), "\"" + text + "\" is no texel", "a type, or one with x2 or x4: f32, u8x4");
}

ChannelType normalized_type(ChannelType type, const std::string& where) {
  switch (type) {
    case ChannelType::u8:
      return ChannelType::unorm8;
    case ChannelType::s8:
      return ChannelType::snorm8;
    case ChannelType::u16:
      return ChannelType::unorm16;
    case ChannelType::s16:
      return ChannelType::snorm16;
    default:
      throw Error(where, "texels of this type are not normalized", "u8, s8, u16, s16");
  }
}

void read_sampling(const ObjectReader& in, const ReadingContext& context, TextureSpec& spec) {
  if (const auto* node = in.find("coordinates")) spec.normalized = chosen(*node, "coordinates", kCoordinates);
  if (const auto* node = in.find("filter")) spec.filter = chosen(*node, "filter", kFilters);
  if (const auto* node = in.find("address")) {
    if (!node->is_array()) {
      spec.address.fill(chosen(*node, "address mode", kAddressModes));
    } else {
      if (node->items.empty() || node->items.size() > 3)
        throw Error(node->where(), fmt::format("{} address modes", node->items.size()), "1 to 3");
      for (std::size_t i = 0; i < node->items.size(); ++i)
        spec.address[i] = chosen(node->items[i], "address mode", kAddressModes);
    }
  }
  const auto* border = in.find("border");
  if (!border) return;
  if (ObjectReader::array(*border).items.size() != 4)
    throw Error(border->where(), fmt::format("a border of {} components", border->items.size()), "4");
  const ElementType type = isa::gives_float(spec.type) ? ElementType::f32 : ElementType::s32;
  for (const ConfigNode& item : border->items) spec.border.push_back(context.number(item, type));
}

void read_image(const ObjectReader& in, const ReadingContext& context, TextureSpec& spec) {
  spec.buffer = context.buffer_name(in.get("buffer"));
  spec.offset_bytes = context.optional_integer(in, "offset_bytes");
  spec.shape = chosen(in.get("shape"), "shape", kTextureShapes);
  read_texel(in.get("texel"), spec);
  if (const auto* node = in.find("read"); node && chosen(*node, "read mode", kReads))
    spec.type = normalized_type(spec.type, node->where());
  const ConfigNode& extents = ObjectReader::array(in.get("extents"));
  for (const ConfigNode& item : extents.items) spec.extents.push_back(context.integer(item));
  const bool cube = spec.shape == TextureShape::cube || spec.shape == TextureShape::acube;
  const std::size_t needed = cube ? 1 : static_cast<std::size_t>(isa::coordinates_of(spec.shape));
  if (spec.extents.size() != needed)
    throw Error(
        extents.where(),
        fmt::format("{} extents of a texture of shape {}", spec.extents.size(), isa::name_of(spec.shape)),
        std::to_string(needed));
  if (isa::has_layers(spec.shape))
    spec.layers = context.integer(in.get("layers"));
  else if (in.has("layers"))
    throw Error(in.get("layers").where(), "layers of a shape without", "a1d, a2d, acube");
  if (const auto* node = in.find("pitch_bytes")) spec.pitch_bytes = context.integer(*node);
  if (const auto* node = in.find("slice_rows")) spec.slice_rows = context.integer(*node);
}

}  // namespace

TextureSpec read_texture(const std::string& name, const ConfigNode& node, const ReadingContext& context) {
  const ObjectReader in(node, kTextureForm);
  TextureSpec spec;
  spec.name = name;
  spec.where = node.where();
  if (const auto* kind = in.find("kind")) spec.kind = chosen(*kind, "kind", kObjectKinds);
  if (spec.kind == isa::HeaderKind::sampler) {
    for (const char* key : {"buffer", "offset_bytes", "shape", "extents", "layers", "pitch_bytes",
                            "slice_rows", "texel", "read", "border"})
      if (in.has(key))
        throw Error(in.get(key).where(), fmt::format("\"{}\" of a sampler", key),
                    "coordinates, filter, address");
  } else {
    read_image(in, context, spec);
  }
  if (spec.kind == isa::HeaderKind::surface)
    for (const char* key : {"read", "coordinates", "filter", "address", "border"})
      if (in.has(key))
        throw Error(in.get(key).where(), fmt::format("\"{}\" of a surface", key), "of a texture");
  read_sampling(in, context, spec);
  return spec;
}

std::string ReadingContext::texture_name(const ConfigNode& node) const {
  std::string name = ObjectReader::text_of(node);
  std::vector<std::string> known;
  for (const auto& t : file_.textures) {
    if (t.name == name) return name;
    known.push_back(t.name);
  }
  throw unknown_name(node.where(), "texture", name, known, known.empty() ? "no textures are defined" : "");
}

}  // namespace heddle::launch
