// How the GPU's linear filtering weighs: a ramp shows the weight of one axis, an impulse the product of two.

#include <bit>
#include <cmath>
#include <cstring>

#include "tests/on_gpu/difference.h"
#include "tests/on_gpu/texture_probe.h"

namespace heddle::on_gpu {

namespace {

constexpr std::uint32_t kExtent = 16;

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }
double value_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

isa::TextureHeader header_of(isa::TextureShape shape, isa::ChannelType type, bool normalized) {
  isa::TextureHeader header;
  header.kind = isa::HeaderKind::texture;
  header.type = type;
  header.width = kExtent;
  if (isa::coordinates_of(shape) > 1) header.height = kExtent;
  if (shape == isa::TextureShape::d3) header.depth = kExtent;
  header.normalized = normalized ? 1 : 0;
  header.filter = isa::FilterMode::linear;
  isa::complete(header, shape);
  return header;
}

/// Texel i along an axis holds i: a look-up gives the place from which the GPU thinks that it looks.
boost::json::object ramp(const Driver& gpu, isa::TextureShape shape, int axis, bool normalized) {
  const isa::TextureHeader header = header_of(shape, isa::ChannelType::f32, normalized);
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  const std::uint32_t apart = axis == 0 ? 1 : axis == 1 ? kExtent : kExtent * kExtent;
  for (std::size_t i = 0; i < texels.size() / 4; ++i) {
    const float value = static_cast<float>(i / apart % kExtent);
    std::memcpy(texels.data() + 4 * i, &value, sizeof value);
  }
  constexpr int kSteps = 8192;  // of a texel
  std::vector<std::vector<std::uint64_t>> looks;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<std::uint64_t> at;
    for (int i = 0; i < isa::coordinates_of(shape); ++i) {
      const double texel = i == axis ? 5.5 + static_cast<double>(step) / kSteps : 5.5;
      at.push_back(bits_of(normalized ? texel / kExtent : texel));
    }
    looks.push_back(std::move(at));
  }
  const LooksOfBoth both =
      TextureProbe("tex." + std::string(isa::name_of(shape)) + ".v4.f32.f32", header, texels)
          .look(gpu, looks);
  // The steps at which the weight changes, and its value from there on in 1/65536.
  boost::json::array changes;
  Differences differences(ValueKind::f32);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    differences.add(looks[i], both.heddle[i][0], both.gpu[i][0]);
    if (i > 0 && both.gpu[i][0] == both.gpu[i - 1][0]) continue;
    changes.push_back({i, static_cast<std::int64_t>(std::llround((value_of(both.gpu[i][0]) - 5) * 65536))});
  }
  return {{"shape", isa::name_of(shape)},
          {"axis", axis},
          {"normalized", normalized},
          {"changes", std::move(changes)},
          {"differences", differences.json()}};
}

/// One texel holds `one`, the others nothing: what a look-up gives is the texel's weight.
boost::json::object impulse(const Driver& gpu, isa::ChannelType type, const char* name) {
  const isa::TextureHeader header = header_of(isa::TextureShape::d2, type, false);
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  const std::uint32_t bytes = isa::bytes_of(type);
  const std::uint32_t one = type == isa::ChannelType::f32   ? 0x3f800000
                            : type == isa::ChannelType::f16 ? 0x3c00
                                                            : 0xff;
  std::memcpy(texels.data() + (5 * kExtent + 5) * bytes, &one, bytes);
  constexpr int kSteps = 32;
  std::vector<std::vector<std::uint64_t>> looks;
  for (int y = 0; y < kSteps; ++y)
    for (int x = 0; x < kSteps; ++x) {
      // Odd parts of 256, spread over the texel.
      looks.push_back({bits_of(5.5 + (8 * x + 2 * (x % 4) + 1) / 256.0),
                       bits_of(5.5 + (8 * y + 2 * (y % 4) + 1) / 256.0)});
    }
  const LooksOfBoth both = TextureProbe("tex.2d.v4.f32.f32", header, texels).look(gpu, looks);
  boost::json::array raw;
  Differences differences(ValueKind::f32);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    differences.add(looks[i], both.heddle[i][0], both.gpu[i][0]);
    raw.push_back(value_of(both.gpu[i][0]) * 65536);
  }
  return {{"format", name}, {"weights_of_65536", std::move(raw)}, {"differences", differences.json()}};
}

}  // namespace

boost::json::object probe_weights(const Driver& gpu) {
  using Shape = isa::TextureShape;
  boost::json::array ramps;
  const std::pair<Shape, int> axes[] = {
      {Shape::d1, 0}, {Shape::d2, 0}, {Shape::d2, 1}, {Shape::d3, 0}, {Shape::d3, 2}};
  for (const auto& [shape, axis] : axes)
    for (const bool normalized : {false, true}) ramps.push_back(ramp(gpu, shape, axis, normalized));
  boost::json::array impulses;
  impulses.push_back(impulse(gpu, isa::ChannelType::f32, "f32"));
  impulses.push_back(impulse(gpu, isa::ChannelType::f16, "f16"));
  impulses.push_back(impulse(gpu, isa::ChannelType::unorm8, "unorm8"));
  return {{"ramps", std::move(ramps)}, {"impulses", std::move(impulses)}};
}

}  // namespace heddle::on_gpu
