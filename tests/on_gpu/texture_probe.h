#pragma once

// Look-ups in one texture, by Heddle's reference and by the GPU.

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
  std::vector<Texel> heddle, gpu;  ///< four components of each look-up
};

class TextureProbe {
 public:
  /// Makes random texels: numbers of about 1 for f32 and f16, any bits for other types.
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::mt19937_64& random);
  /// Uses the given texels, in the order of memory.
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::vector<std::uint8_t> texels)
      : instruction_(std::move(instruction)), header_(header), texels_(std::move(texels)) {}

  LooksOfBoth look(const Driver& gpu, const std::vector<std::vector<std::uint64_t>>& coordinates) const;
  /// Returns the first 256 bytes of the texels in hexadecimal.
  std::string texel_text() const;

 private:
  std::string instruction_;
  isa::TextureHeader header_;
  std::vector<std::uint8_t> texels_;
};

/// Returns the GPU's answers that show how a coordinate's fraction becomes a weight, and how weights of
/// several axes combine.
boost::json::object probe_weights(const Driver& gpu);
/// Compares results of txq and suq.
boost::json::object check_queries(const Driver& gpu);
/// Compares loads and stores of surfaces, of every width and both treatments of places outside.
boost::json::object check_surfaces(const Driver& gpu, std::size_t accesses);

}  // namespace heddle::on_gpu
