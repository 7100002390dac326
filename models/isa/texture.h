#pragma once

// Textures and surfaces: what describes one, and what a look-up gives (CUDA C++ Programming Guide, "Texture Fetching";
// PTX ISA 9.0, 9.7.10). Every executor of a program asks here which texels a thread needs and what their bytes make;
// how the bytes come, each finds for itself.
//
// The handle of a texture, sampler or surface is the address of its header, in the window of constants. Texels lie in
// device memory row by row: texel (x, y) of slice z at base + (z * slice_rows + y) * row_bytes + x * texel_bytes. A
// layer, and a face of a cube, is a slice: face f of layer l is slice 6 * l + f.
//
// Where the guide is silent, as measured on an H200 (docs/on-gpu.md):
// - Of a normalised coordinate 21 bits of fraction count, 22 in textures wider than 16,384 (assumed there: between 4,099 and 30,011).
// - A place between texels is rounded to the nearest of 256 parts, half up, before its texels are chosen. Weights of corners
//   have eight bits: z takes its share of 256, x of what z leaves each slice, y of what x leaves each column; shares are rounded, a
//   half up, but down for y on the left. Where both texels of an axis are the same, the first counts all.
// - A filtered component is the sum of texel * weight, rounded once: of f32 and f16 to the format, half away from 0; of
//   normalised channels to a multiple of 1/65535 or 1/32767, half up. A texel of weight 0 is not looked at.
// - Integer coordinates are texels, without filter; outside lies the border, whatever the mode.
// - Components that a texel lacks are 0, the fourth too.
// Assumed:
// - Every coordinate of a texture of integers is a texel, without filter.
// - The layer is taken as clamped; a face of a cube ends at its rim.
// - A coordinate that is no number counts as 0. Wrap and mirror without normalised coordinates act as clamp.

#include <array>
#include <cstdint>
#include <string>

#include "models/isa/instruction.h"

namespace heddle::isa {

/// Values of txq, those of OpenCL (PTX ISA 9.0, 5.3).
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

/// As it lies in memory, little endian.
struct TextureHeader {
  std::uint64_t base = 0;
  std::uint32_t row_bytes = 0;    ///< from a row to the next
  std::uint32_t width_bytes = 0;  ///< width * texel_bytes
  std::uint32_t height = 1;
  std::uint32_t slice_rows = 0;  ///< rows from a slice to the next
  std::uint32_t slices = 1;      ///< depth, layers, or 6 * layers
  std::uint32_t width = 0;       ///< texels
  std::uint32_t depth = 1;
  std::uint32_t layers = 1;  ///< of a cube without layers: 1
  ChannelType type = ChannelType::f32;
  ChannelOrder order = ChannelOrder::r;
  std::uint32_t normalized = 0;  ///< coordinates are 0 to 1
  FilterMode filter = FilterMode::nearest;
  std::array<AddressMode, 3> address = {AddressMode::clamp_to_edge, AddressMode::clamp_to_edge,
                                        AddressMode::clamp_to_edge};
  HeaderKind kind = HeaderKind::none;
  std::array<std::uint32_t, 4> border{};  ///< bits of a border texel's components, as a look-up gives them
  std::uint32_t texel_bytes = 4;
  std::uint32_t force_unnormalized = 0;  ///< of a sampler
  std::uint32_t levels = 1, samples = 1;
  std::uint32_t shape = 0;  ///< a TextureShape
  std::uint32_t spare[5] = {};

  bool operator==(const TextureHeader&) const = default;
};
inline constexpr std::uint32_t kTextureHeaderBytes = 128;
static_assert(sizeof(TextureHeader) == kTextureHeaderBytes);

constexpr std::uint32_t channels_of(ChannelOrder o) {
  return o == ChannelOrder::r ? 1 : o == ChannelOrder::rg ? 2 : 4;
}
std::uint32_t bytes_of(ChannelType t);
/// Look-ups give a float: floating-point and normalised channels.
constexpr bool gives_float(ChannelType t) {
  return t <= ChannelType::unorm16 || t == ChannelType::f16 || t == ChannelType::f32;
}
/// Coordinates beside the layer: 1 to 3.
int coordinates_of(TextureShape shape);
constexpr bool has_layers(TextureShape s) {
  return s == TextureShape::a1d || s == TextureShape::a2d || s == TextureShape::acube;
}

/// Sets what follows from shape, extents, type and order: texel_bytes, width_bytes, slices, and row_bytes and slice_rows
/// where they are 0.
void complete(TextureHeader& header, TextureShape shape);
/// One past the last byte, counted from the base.
std::uint64_t extent_bytes(const TextureHeader& header);

/// Empty, or why the instruction cannot look up this ("no texture", "a texture of shape 3d"). `sampler` is the texture's
/// header where the instruction has no sampler of its own.
std::string look_up_fault(const TextureAccess& access, const TextureHeader& texture,
                          const TextureHeader& sampler);

/// The texels that one thread needs.
struct Footprint {
  static constexpr std::uint64_t kBorder = ~std::uint64_t{0};  ///< in the place of an address
  static constexpr std::uint32_t kOne = 1u << 24;              ///< weights add up to this
  static constexpr std::size_t kMost = 8;
  std::uint32_t count = 0;
  std::array<std::uint64_t, kMost> at;
  std::array<std::uint32_t, kMost> weight;
};
/// `coordinates` as the instruction's sources follow each other: [layer,] x, y, z.
Footprint footprint_of(const TextureAccess& access, DataType coordinate_type, const TextureHeader& texture,
                       const TextureHeader& sampler, const std::array<std::uint32_t, 4>& coordinates);

/// Bytes of up to eight texels; those of a border do not matter.
using TexelBytes = std::array<std::array<std::uint8_t, 16>, Footprint::kMost>;
/// Result of a look-up: four components, as bits.
std::array<std::uint32_t, 4> filtered(const TextureAccess& access, const TextureHeader& texture,
                                      const Footprint& footprint, const TexelBytes& texels);

}  // namespace heddle::isa
