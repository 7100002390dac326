// Compares texture look-ups and surface accesses of the GPU with Heddle's.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "models/isa/address_map.h"
#include "models/isa/texture.h"
#include "testbench/launch/reference_executor.h"
#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/gpu_executor.h"
#include "tests/on_gpu/rows_run.h"
#include "tests/on_gpu/texture_probe.h"
#include "tests/on_gpu/units.h"
#include "tests/semantics/kernel_text.h"

namespace heddle::on_gpu {

namespace {

using isa::AddressMode;
using isa::ChannelOrder;
using isa::ChannelType;
using isa::TextureShape;

struct Format {
  ChannelType type;
  ChannelOrder order;
  const char* name;
};
constexpr std::array<Format, 11> kFormats = {{{ChannelType::f32, ChannelOrder::r, "f32x1"},
                                              {ChannelType::f32, ChannelOrder::rgba, "f32x4"},
                                              {ChannelType::f16, ChannelOrder::rgba, "f16x4"},
                                              {ChannelType::unorm8, ChannelOrder::rgba, "unorm8x4"},
                                              {ChannelType::snorm8, ChannelOrder::rg, "snorm8x2"},
                                              {ChannelType::unorm16, ChannelOrder::r, "unorm16x1"},
                                              {ChannelType::snorm16, ChannelOrder::rg, "snorm16x2"},
                                              {ChannelType::u8, ChannelOrder::rgba, "u8x4"},
                                              {ChannelType::s8, ChannelOrder::r, "s8x1"},
                                              {ChannelType::s16, ChannelOrder::rg, "s16x2"},
                                              {ChannelType::u32, ChannelOrder::rgba, "u32x4"}}};

const char* result_type(ChannelType type) {
  if (isa::gives_float(type)) return "f32";
  return type == ChannelType::s8 || type == ChannelType::s16 || type == ChannelType::s32 ? "s32" : "u32";
}

/// A look-up: `tex` of a shape with floating-point or integer coordinates, or a gather of one component.
struct Look {
  TextureShape shape;
  bool whole = false;
  char gather = 0;  ///< gathered component: r, g, b or a; 0: no gather

  std::string instruction(ChannelType type) const {
    const std::string dimensions = gather ? "2d" : isa::name_of(shape);
    const std::string start = gather ? std::string("tld4.") + gather + "." : "tex.";
    return start + dimensions + ".v4." + result_type(type) + (whole ? ".s32" : ".f32");
  }
};

isa::TextureHeader random_header(const Format& format, const Look& look, bool linear, bool normalized,
                                 std::mt19937_64& random) {
  isa::TextureHeader header;
  const auto extent = [&random](unsigned most) { return static_cast<std::uint32_t>(3 + random() % most); };
  header.kind = isa::HeaderKind::texture;
  header.type = format.type;
  header.order = format.order;
  header.width = extent(60);
  if (isa::coordinates_of(look.shape) > 1) header.height = extent(40);
  if (look.shape == TextureShape::d3) header.depth = extent(12);
  if (isa::has_layers(look.shape)) header.layers = extent(4);
  if (look.shape == TextureShape::cube || look.shape == TextureShape::acube) header.height = header.width;
  header.normalized = normalized ? 1 : 0;
  header.filter = linear ? isa::FilterMode::linear : isa::FilterMode::nearest;
  constexpr std::array<AddressMode, 4> kModes = {AddressMode::clamp_to_edge, AddressMode::clamp_to_border,
                                                 AddressMode::wrap, AddressMode::mirror};
  // Set address modes only for the axes of the texture's shape, because the GPU would also use the modes of
  // further axes.
  for (int i = 0; i < isa::coordinates_of(look.shape); ++i)
    header.address[static_cast<std::size_t>(i)] = kModes[random() % (normalized ? 4 : 2)];
  isa::complete(header, look.shape);
  return header;
}

/// Returns random coordinates in and around the texture. Half of the coordinates are arbitrary. The other
/// half are at multiples of 1/512 of a texel, or next to such multiples.
std::vector<std::uint64_t> coordinates(const isa::TextureHeader& header, const Look& look,
                                       std::mt19937_64& random) {
  std::vector<std::uint64_t> result;
  if (isa::has_layers(look.shape)) result.push_back(random() % (header.layers + 1));
  const bool cube = look.shape == TextureShape::cube || look.shape == TextureShape::acube;
  const std::array<std::uint32_t, 3> extents = {header.width, header.height, header.depth};
  for (int i = 0; i < isa::coordinates_of(look.shape); ++i) {
    const double extent = cube ? 1 : extents[static_cast<std::size_t>(i)];
    double at = (static_cast<double>(random() >> 11) * 0x1p-53 * 3 - 1) * extent;
    if (cube) at = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    if (look.whole) {
      result.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(std::floor(at))));
      continue;
    }
    if (!cube && random() % 2) at = std::floor(at * 512) / 512;
    const double value = header.normalized && !cube ? at / extent : at;
    result.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  }
  return result;
}

boost::json::object check_case(const Driver& gpu, const Look& look, const Format& format, bool linear,
                               bool normalized, const UnitOptions& options, std::mt19937_64& random) {
  const isa::TextureHeader header = random_header(format, look, linear, normalized, random);
  const TextureProbe probe(look.instruction(format.type), header, random);
  std::vector<std::vector<std::uint64_t>> inputs;
  for (std::size_t i = 0; i < options.looks; ++i) inputs.push_back(coordinates(header, look, random));
  const LooksOfBoth both = probe.look(gpu, inputs);
  boost::json::object result{{"format", format.name}, {"linear", linear}, {"normalized", normalized}};
  const ValueKind kind = isa::gives_float(format.type) ? ValueKind::f32 : ValueKind::bits;
  Differences differences(kind);
  for (std::size_t row = 0; row < inputs.size(); ++row) {
    for (std::size_t c = 0; c < 4; ++c) differences.add(inputs[row], both.heddle[row][c], both.gpu[row][c]);
  }
  result["differences"] = differences.json();
  if (differences.differing() > 0) {
    boost::json::array modes;
    for (const AddressMode mode : header.address) modes.push_back(static_cast<int>(mode));
    result["header"] = {{"width", header.width},
                        {"height", header.height},
                        {"depth", header.depth},
                        {"layers", header.layers},
                        {"modes", std::move(modes)}};
    result["texels"] = probe.texel_text();
  }
  return result;
}

boost::json::array check_looks(const Driver& gpu, const Look& look, const UnitOptions& options) {
  boost::json::array cases;
  std::mt19937_64 random(11);
  const bool cube = look.shape == TextureShape::cube || look.shape == TextureShape::acube;
  for (const Format& format : kFormats) {
    if (look.gather && isa::channels_of(format.order) < 4) continue;
    for (int kind = 0; kind < 4; ++kind) {
      const bool linear = kind & 1, normalized = kind & 2;
      if (linear && (look.whole || look.gather || !isa::gives_float(format.type))) continue;
      if (normalized ? look.whole : cube) continue;
      try {
        cases.push_back(check_case(gpu, look, format, linear, normalized, options, random));
      } catch (const std::exception& error) {
        cases.push_back({{"format", format.name},
                         {"linear", linear},
                         {"normalized", normalized},
                         {"error", error.what()}});
      }
    }
  }
  return cases;
}

}  // namespace

std::vector<std::string> texture_names() {
  return {"1d",    "2d",     "3d",    "a1d",     "a2d",      "cube",
          "acube", "gather", "whole", "weights", "surfaces", "queries"};
}

boost::json::object check_texture(const Driver& gpu, const std::string& name, const UnitOptions& options) {
  if (name == "weights") return probe_weights(gpu);
  if (name == "surfaces") return check_surfaces(gpu, options.looks);
  if (name == "queries") return check_queries(gpu);
  constexpr std::array<TextureShape, 7> kShapes = {TextureShape::d1,   TextureShape::d2,  TextureShape::d3,
                                                   TextureShape::a1d,  TextureShape::a2d, TextureShape::cube,
                                                   TextureShape::acube};
  boost::json::object result;
  if (name == "gather") {
    for (const char component : {'r', 'g', 'b', 'a'})
      result[std::string(1, component)] = check_looks(gpu, {TextureShape::d2, false, component}, options);
    return result;
  }
  for (const TextureShape shape : kShapes) {
    const bool cube = shape == TextureShape::cube || shape == TextureShape::acube;
    if (name == "whole" ? !cube : name == isa::name_of(shape))
      result[isa::name_of(shape)] = check_looks(gpu, {shape, name == "whole"}, options);
  }
  return result;
}

}  // namespace heddle::on_gpu
