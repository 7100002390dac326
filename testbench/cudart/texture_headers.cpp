#include "testbench/cudart/texture_headers.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "testbench/cudart/refusal.h"

namespace heddle::cudart {
namespace {

isa::AddressMode address_mode(int mode) {
  switch (mode) {
    case 0:
      return isa::AddressMode::wrap;
    case 1:
      return isa::AddressMode::clamp_to_edge;
    case 2:
      return isa::AddressMode::mirror;
    case 3:
      return isa::AddressMode::clamp_to_border;
    default:
      refuse(cudaErrorInvalidValue, fmt::format("an address mode {}", mode));
  }
}

std::uint32_t extent(std::size_t value) {
  if (value > 0xffffffff) refuse(cudaErrorInvalidValue, fmt::format("a texture's extent of {}", value));
  return static_cast<std::uint32_t>(value);
}

isa::TextureShape shape_of(const Array& a) {
  using isa::TextureShape;
  const bool layered = (a.flags & kLayered) != 0;
  if ((a.flags & kCubemap) != 0) return layered ? TextureShape::acube : TextureShape::cube;
  if (layered) return a.extent.height ? TextureShape::a2d : TextureShape::a1d;
  return a.extent.depth ? TextureShape::d3 : a.extent.height ? TextureShape::d2 : TextureShape::d1;
}

void set_array(const Array& a, isa::TextureHeader& h) {
  set_channels(a.channels, h);
  const isa::TextureShape shape = shape_of(a);
  h.base = a.address;
  h.width = static_cast<std::uint32_t>(a.extent.width);
  h.height = static_cast<std::uint32_t>(a.rows());
  if (shape == isa::TextureShape::d3) h.depth = static_cast<std::uint32_t>(a.slices());
  if (isa::has_layers(shape))
    h.layers = static_cast<std::uint32_t>(a.slices() / (shape == isa::TextureShape::acube ? 6 : 1));
  h.row_bytes = static_cast<std::uint32_t>(a.pitch);
  isa::complete(h, shape);
}

void require_memory(Runtime& r, const isa::TextureHeader& h) {
  const std::uint64_t bytes = isa::extent_bytes(h);
  if (!r.memory().bytes_at(h.base, bytes))
    refuse(cudaErrorInvalidValue, "the texels: " + r.memory().explain(h.base, bytes));
  if (h.base % h.texel_bytes != 0 || h.row_bytes % h.texel_bytes != 0)
    refuse(cudaErrorInvalidValue, fmt::format("texels of {} bytes that are not aligned", h.texel_bytes));
}

}  // namespace

isa::TextureHeader header_of(Runtime& r, const ResourceDescription& d) {
  isa::TextureHeader h;
  switch (d.kind) {
    case kArray:
      set_array(r.textures().array(d.array), h);
      return h;
    case kLinear:
      set_channels(d.linear.channels, h);
      h.base = address_of(d.linear.pointer);
      isa::complete(h, isa::TextureShape::d1);
      h.width = extent(d.linear.bytes / h.texel_bytes);
      h.row_bytes = 0;
      isa::complete(h, isa::TextureShape::d1);
      break;
    case kPitched:
      set_channels(d.pitched.channels, h);
      h.base = address_of(d.pitched.pointer);
      h.width = extent(d.pitched.width);
      h.height = extent(d.pitched.height);
      h.row_bytes = extent(d.pitched.pitch);
      isa::complete(h, isa::TextureShape::d2);
      break;
    default:
      refuse(cudaErrorNotSupported, "a texture of a mipmapped array: Heddle's textures have one level");
  }
  if (h.width == 0 || h.height == 0) refuse(cudaErrorInvalidValue, "a texture without texels");
  require_memory(r, h);
  return h;
}

void set_sampling(const TextureDescription& d, bool linear_memory, isa::TextureHeader& h) {
  if (d.srgb != 0) refuse(cudaErrorNotSupported, "sRGB textures");
  if (d.read == 1) {
    using isa::ChannelType;
    switch (h.type) {
      case ChannelType::u8:
        h.type = ChannelType::unorm8;
        break;
      case ChannelType::s8:
        h.type = ChannelType::snorm8;
        break;
      case ChannelType::u16:
        h.type = ChannelType::unorm16;
        break;
      case ChannelType::s16:
        h.type = ChannelType::snorm16;
        break;
      case ChannelType::u32:
      case ChannelType::s32:
        refuse(cudaErrorInvalidValue, "normalized texels of 32-bit integers");
      default:
        break;
    }
  }
  h.normalized = d.normalized != 0;
  h.filter = d.filter != 0 ? isa::FilterMode::linear : isa::FilterMode::nearest;
  if (d.filter != 0 && !isa::gives_float(h.type))
    refuse(cudaErrorInvalidValue, "a linear filter over integers");
  for (std::size_t i = 0; i < 3; ++i) h.address[i] = address_mode(d.address[i]);
  // In linear memory, a look-up outside of the memory returns 0 (CUDA C++ Programming Guide, tex1Dfetch).
  if (linear_memory) h.address.fill(isa::AddressMode::clamp_to_border);
  for (std::size_t c = 0; c < 4; ++c)
    h.border[c] = isa::gives_float(h.type)
                      ? std::bit_cast<std::uint32_t>(d.border[c])
                      : static_cast<std::uint32_t>(static_cast<std::int32_t>(d.border[c]));
}

}  // namespace heddle::cudart
