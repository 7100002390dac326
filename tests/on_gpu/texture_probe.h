#pragma once

// Executes look-ups in one texture on Heddle's reference and on the GPU.

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/isa/texture.h"
#include "tests/on_gpu/driver.h"

namespace heddle::on_gpu {

using Texel = std::array<std::uint64_t, 4>;

struct LooksOfBoth {
  std::vector<Texel> heddle, gpu;
};

class TextureProbe {
 public:
  /// Makes random texels. For f32 and f16, the texels are numbers near 1. For other types, the texels are
  /// arbitrary bits.
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::mt19937_64& random);
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::vector<std::uint8_t> texels)
      : instruction_(std::move(instruction)), header_(header), texels_(std::move(texels)) {}

  LooksOfBoth look(const Driver& gpu, const std::vector<std::vector<std::uint64_t>>& coordinates) const;
  std::string texel_text() const;

 private:
  std::string instruction_;
  isa::TextureHeader header_;
  std::vector<std::uint8_t> texels_;
};

/// Measures how the fraction of a coordinate becomes a filter weight, and how the weights of several axes
/// combine.
boost::json::object probe_weights(const Driver& gpu);
boost::json::object check_queries(const Driver& gpu);
/// Compares surface accesses of every width, with both treatments of coordinates outside the surface.
boost::json::object check_surfaces(const Driver& gpu, std::size_t accesses);

}  // namespace heddle::on_gpu
