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
  std::vector<Texel> heddle, gpu;  ///< four components a look-up
};

class TextureProbe {
 public:
  /// Texels are random: numbers of about 1 in f32 and f16, any bits in the others.
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::mt19937_64& random);
  /// Texels as given, in the order of memory.
  TextureProbe(std::string instruction, const isa::TextureHeader& header, std::vector<std::uint8_t> texels)
      : instruction_(std::move(instruction)), header_(header), texels_(std::move(texels)) {}

  LooksOfBoth look(const Driver& gpu, const std::vector<std::vector<std::uint64_t>>& coordinates) const;
  /// The texels' bytes in hexadecimal, the first 256.
  std::string texel_text() const;

 private:
  std::string instruction_;
  isa::TextureHeader header_;
  std::vector<std::uint8_t> texels_;
};

/// How the fraction of a coordinate becomes a weight, and what weights of several axes make: the GPU's raw answers.
boost::json::object probe_weights(const Driver& gpu);
/// Results of txq and suq.
boost::json::object check_queries(const Driver& gpu);
/// Loads and stores of surfaces of every width and of both treatments of what lies outside.
boost::json::object check_surfaces(const Driver& gpu, std::size_t accesses);

}  // namespace heddle::on_gpu
