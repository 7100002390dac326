#pragma once

// Textures and surfaces: their headers in memory, and the arithmetic of a look-up (CUDA C++ Programming Guide,
// "Texture Fetching"; PTX ISA 9.0, 9.7.10). footprint_of() returns the texels that a thread needs. Each
// executor (timed or untimed) loads the bytes of these texels itself. filtered() computes the result from these
// bytes.
//
// The handle of a texture, sampler or surface is the address of its header in the constant window. Texels are stored
// in device memory row by row: texel (x, y) of slice z is at base + (z * slice_rows + y) * row_bytes + x * texel_bytes.
// A slice is a layer or a face of a cube: face f of layer l is slice 6 * l + f.
//
// These rules are not specified in the guide and were measured on an H200 (docs/on-gpu.md):
// - Only 21 bits of a normalised coordinate's fraction are used, or 22 bits in wide textures. The limit of 16,384
//   texels is assumed; the measured limit is between 4,099 and 30,011.
// - With linear filtering, a coordinate is rounded to 1/256 of a texel, half up, before its texels are chosen.
//   The weights of the corners are multiples of 1/256. The total weight of 256 is divided in three steps:
//   between the two slices (by z), then in each slice between its two columns (by x), then in each column
//   between its two texels (by y). Weights are rounded half up, but half down for y in the left column. If both
//   texels of an axis are the same, the first texel gets the whole weight.
// - A filtered component is the sum of texel * weight, rounded once. f32 and f16 are rounded to their format, half away
//   from 0. Normalised channels are rounded to a multiple of 1/65535 or 1/32767, half up. A texel with weight 0 is
//   ignored, even if it is NaN.
// - Integer coordinates select texels without a filter. Outside the texture, the result is the border colour
//   in every address mode.
// - Components that the texel format does not have are 0, including the fourth component.
// Assumed:
// - Coordinates in a texture of integers select texels without a filter.
// - The layer index is clamped. Texels of a cube are not filtered across the edges of a face.
// - A NaN coordinate counts as 0. Without normalised coordinates, wrap and mirror act as clamp.

#include <array>
#include <cstdint>
#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Channel type of a texture. The values are the numbers that txq returns (PTX ISA 9.0, 5.3; from OpenCL).
enum class ChannelType : std::uint32_t {
  snorm8 = 0x10d0,
  snorm16,
  unorm8,
  unorm16,
  s8 = 0x10d7,
  s16,
  s32,
  u8,
  u16,
  u32,
  f16,
  f32
};
enum class ChannelOrder : std::uint32_t { r = 0x10b0, rg = 0x10b2, rgba = 0x10b5 };
enum class AddressMode : std::uint32_t { wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border };
enum class FilterMode : std::uint32_t { nearest, linear };
enum class HeaderKind : std::uint32_t {
  none = 0,
  texture = 0x7e87'0001,
  sampler = 0x7e87'0002,
  surface = 0x7e87'0003
};

/// Header of a texture, sampler or surface, as stored in device memory (little endian).
struct TextureHeader {
  std::uint64_t base = 0;
  std::uint32_t row_bytes = 0;
  std::uint32_t width_bytes = 0;  ///< bytes of one row's texels: width * texel_bytes
  std::uint32_t height = 1;
  std::uint32_t slice_rows = 0;
  /// Number of slices: depth, number of layers, or 6 * number of layers of a cube.
  std::uint32_t slices = 1;
  std::uint32_t width = 0;
  std::uint32_t depth = 1;
  std::uint32_t layers = 1;  ///< Number of layers; 1 for a cube without layers.
  ChannelType type = ChannelType::f32;
  ChannelOrder order = ChannelOrder::r;
  std::uint32_t normalized = 0;  ///< Nonzero: coordinates are normalised (0 to 1).
  FilterMode filter = FilterMode::nearest;
  std::array<AddressMode, 3> address = {AddressMode::clamp_to_edge, AddressMode::clamp_to_edge,
                                        AddressMode::clamp_to_edge};
  HeaderKind kind = HeaderKind::none;
  /// Border colour in the form that a look-up returns: four 32-bit patterns.
  std::array<std::uint32_t, 4> border{};
  std::uint32_t texel_bytes = 4;
  /// Field of a sampler. Nonzero: coordinates are in texels even if `normalized` of the texture is set.
  std::uint32_t force_unnormalized = 0;
  std::uint32_t levels = 1, samples = 1;
  std::uint32_t shape = 0;
  std::uint32_t spare[5] = {};

  bool operator==(const TextureHeader&) const = default;
};
inline constexpr std::uint32_t kTextureHeaderBytes = 128;
static_assert(sizeof(TextureHeader) == kTextureHeaderBytes);

constexpr std::uint32_t channels_of(ChannelOrder o) {
  return o == ChannelOrder::r ? 1 : o == ChannelOrder::rg ? 2 : 4;
}
std::uint32_t bytes_of(ChannelType t);
/// Returns true if look-ups in a texture of this channel type return floats: for floating-point and
/// normalised channels.
constexpr bool gives_float(ChannelType t) {
  return t <= ChannelType::unorm16 || t == ChannelType::f16 || t == ChannelType::f32;
}
/// Number of coordinates of a look-up without the layer: 1 to 3.
int coordinates_of(TextureShape shape);
constexpr bool has_layers(TextureShape s) {
  return s == TextureShape::a1d || s == TextureShape::a2d || s == TextureShape::acube;
}

/// Sets the header fields that follow from shape, extents, channel type and channel order: texel_bytes,
/// width_bytes and slices. Also sets row_bytes and slice_rows if they are 0.
void complete(TextureHeader& header, TextureShape shape);
std::uint64_t extent_bytes(const TextureHeader& header);

/// Returns the error text of an invalid texture look-up, such as "a look-up of shape 2d in a texture of shape
/// 3d"; empty for a valid look-up. `sampler`: the texture's header if the instruction names no sampler.
std::string look_up_fault(const TextureAccess& access, const TextureHeader& texture,
                          const TextureHeader& sampler);

struct Footprint {
  static constexpr std::uint64_t kBorder = ~std::uint64_t{0};
  static constexpr std::uint32_t kOne = 1u << 24;
  static constexpr std::size_t kMost = 8;
  std::uint32_t count = 0;
  std::array<std::uint64_t, kMost> at;
  std::array<std::uint32_t, kMost> weight;
};
/// Returns the texels that a look-up needs, with their weights. `coordinates`: the instruction's coordinate
/// sources in order: [layer,] x, y, z.
Footprint footprint_of(const TextureAccess& access, DataType coordinate_type, const TextureHeader& texture,
                       const TextureHeader& sampler, const std::array<std::uint32_t, 4>& coordinates);

using TexelBytes = std::array<std::array<std::uint8_t, 16>, Footprint::kMost>;
/// Computes the result of a texture look-up from the bytes of its texels. Returns four components, as 32-bit
/// patterns.
std::array<std::uint32_t, 4> filtered(const TextureAccess& access, const TextureHeader& texture,
                                      const Footprint& footprint, const TexelBytes& texels);

}  // namespace heddle::isa
