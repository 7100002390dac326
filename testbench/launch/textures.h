#pragma once

// Textures, surfaces and samplers of a launch file, and their headers (models/isa/texture.h).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/isa/texture.h"
#include "testbench/launch/expression.h"

namespace heddle::launch {

struct TextureSpec {
  std::string name;
  isa::HeaderKind kind = isa::HeaderKind::texture;
  std::string buffer;
  Expression offset_bytes;
  isa::TextureShape shape = isa::TextureShape::d1;
  std::vector<Expression> extents;  ///< width, height and depth in texels
  std::optional<Expression> layers, pitch_bytes, slice_rows;
  isa::ChannelType type = isa::ChannelType::f32;
  isa::ChannelOrder order = isa::ChannelOrder::r;
  bool normalized = false;  ///< True: coordinates are normalised to 0..1.
  isa::FilterMode filter = isa::FilterMode::nearest;
  std::array<isa::AddressMode, 3> address = {isa::AddressMode::clamp_to_edge, isa::AddressMode::clamp_to_edge,
                                             isa::AddressMode::clamp_to_edge};
  std::vector<Expression> border;
  std::string where;
};

/// Returns the header of a texture. Throws Error if the texture is larger than its buffer, its texels are
/// unaligned, or it filters integers.
isa::TextureHeader make_header(const TextureSpec& spec, const Scope& scope, std::uint64_t address,
                               std::uint64_t bytes);
std::vector<std::uint8_t> bytes_of(const isa::TextureHeader& header);

}  // namespace heddle::launch
