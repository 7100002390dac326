// Measures the weights of the GPU's linear texture filtering. A ramp shows the weight of one axis; a single
// non-zero texel shows the product of two weights.

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

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

/// Measures positions: texel i along the axis has the value i, so a look-up returns the position that the GPU
/// uses.
boost::json::object ramp(const Driver& gpu, isa::TextureShape shape, int axis, bool normalized) {
  const isa::TextureHeader header = header_of(shape, isa::ChannelType::f32, normalized);
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  const std::uint32_t apart = axis == 0 ? 1 : axis == 1 ? kExtent : kExtent * kExtent;
  for (std::size_t i = 0; i < texels.size() / 4; ++i) {
    const float value = static_cast<float>(i / apart % kExtent);
    std::memcpy(texels.data() + 4 * i, &value, sizeof value);
  }
  constexpr int kSteps = 8192;
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
  // coordinates at which the filter weight changes, each with the new weight in units of 1/65536
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

/// Measures one weight of a filter. One texel has the value `one` and all other texels are 0, so a look-up
/// returns the weight of this one texel.
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
      // coordinates within one texel, at odd multiples of 1/256
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

/// Measures four weights at once: each of four neighbouring texels has a non-zero value in a different colour
/// component, so a look-up returns all four weights. `far`: these texels lie in the next slice.
boost::json::object corners(const Driver& gpu, isa::TextureShape shape, bool far) {
  isa::TextureHeader header = header_of(shape, isa::ChannelType::f32, false);
  header.order = isa::ChannelOrder::rgba;
  header.row_bytes = header.slice_rows = 0;
  isa::complete(header, shape);
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  const float one = 1;
  for (std::size_t corner = 0; corner < 4; ++corner) {
    const std::size_t x = 5 + corner % 2, y = 5 + corner / 2,
                      z = shape == isa::TextureShape::d3 ? 5u + far : 0u;
    std::memcpy(texels.data() + ((z * kExtent + y) * kExtent + x) * 16 + corner * 4, &one, sizeof one);
  }
  std::mt19937_64 random(13);
  std::vector<std::vector<std::uint64_t>> looks;
  for (int i = 0; i < 65536; ++i) {
    looks.push_back({bits_of(5.5 + i % 256 / 256.0), bits_of(5.5 + i / 256 / 256.0)});
    if (shape == isa::TextureShape::d3)
      looks.back().push_back(bits_of(5.5 + static_cast<double>(random() % 256) / 256.0));
  }
  const std::string name = isa::name_of(shape);
  const LooksOfBoth both = TextureProbe("tex." + name + ".v4.f32.f32", header, texels).look(gpu, looks);
  Differences differences(ValueKind::f32);
  for (std::size_t i = 0; i < looks.size(); ++i)
    for (std::size_t c = 0; c < 4; ++c) differences.add(looks[i], both.heddle[i][c], both.gpu[i][c]);
  return {{"shape", name}, {"far", far}, {"differences", differences.json()}};
}

/// Compares look-ups at normalised coordinates very close to a change of the result: a border between texels
/// or, with `linear`, a step of the filter weight.
boost::json::object borders(const Driver& gpu, std::uint32_t width, bool linear) {
  isa::TextureHeader header;
  header.kind = isa::HeaderKind::texture;
  header.type = isa::ChannelType::f32;
  header.width = width;
  header.normalized = 1;
  header.filter = linear ? isa::FilterMode::linear : isa::FilterMode::nearest;
  isa::complete(header, isa::TextureShape::d1);
  std::vector<std::uint8_t> texels(isa::extent_bytes(header));
  for (std::uint32_t i = 0; i < width; ++i) {
    const float value = static_cast<float>(i);
    std::memcpy(texels.data() + std::size_t{4} * i, &value, sizeof value);
  }
  std::mt19937_64 random(17 + width);
  std::vector<std::vector<std::uint64_t>> looks;
  for (int place = 0; place < 48; ++place) {
    const double texel = 1 + static_cast<double>(random() % (width - 1)) +
                         (linear ? (static_cast<double>(random() % 256) + 0.5) / 256 - 0.5 : 0);
    for (int scale = 8; scale <= 30; ++scale)
      for (const int side : {-1, 1})
        looks.push_back({bits_of(texel / width + std::ldexp(side * 1.0, -scale))});
    for (int step = -3; step <= 3; ++step) {
      const auto at = static_cast<std::int64_t>(bits_of(texel / width)) + step;
      looks.push_back({static_cast<std::uint64_t>(at)});
    }
  }
  const LooksOfBoth both = TextureProbe("tex.1d.v4.f32.f32", header, texels).look(gpu, looks);
  Differences differences(ValueKind::f32);
  for (std::size_t i = 0; i < looks.size(); ++i) differences.add(looks[i], both.heddle[i][0], both.gpu[i][0]);
  return {{"width", width}, {"linear", linear}, {"differences", differences.json()}};
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
  boost::json::array corner_cases, border_cases;
  corner_cases.push_back(corners(gpu, Shape::d2, false));
  corner_cases.push_back(corners(gpu, Shape::d3, false));
  corner_cases.push_back(corners(gpu, Shape::d3, true));
  for (const std::uint32_t width : {3u, 5u, 7u, 10u, 51u, 61u, 64u, 100u, 1000u, 4099u, 30011u})
    for (const bool linear : {false, true}) border_cases.push_back(borders(gpu, width, linear));
  return {{"ramps", std::move(ramps)},
          {"impulses", std::move(impulses)},
          {"corners", std::move(corner_cases)},
          {"borders", std::move(border_cases)}};
}

}  // namespace heddle::on_gpu
