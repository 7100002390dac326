// 10,000 random look-ups in each shape of texture must give the same bits as an independent implementation.
// This implementation follows the formulas in the CUDA C++ Programming Guide. The look-ups cover formats,
// filters, address modes, coordinates and gathers.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "models/isa/texture.h"
#include "tests/support/dice.h"

namespace heddle::isa {
namespace {

constexpr int kLookUps = 10000;
constexpr std::uint64_t kBase = 0x2'0000'0000;

struct Image {
  TextureHeader header;
  TextureHeader sampler;
  std::vector<std::uint8_t> bytes;
};

const ChannelType kTypes[] = {ChannelType::snorm8,  ChannelType::snorm16, ChannelType::unorm8,
                              ChannelType::unorm16, ChannelType::s8,      ChannelType::s16,
                              ChannelType::s32,     ChannelType::u8,      ChannelType::u16,
                              ChannelType::u32,     ChannelType::f16,     ChannelType::f32};

bool is_cube(TextureShape s) { return s == TextureShape::cube || s == TextureShape::acube; }

Image random_image(fuzz::Dice& dice, TextureShape shape) {
  Image image;
  TextureHeader& h = image.header;
  h.kind = HeaderKind::texture;
  h.base = kBase;
  h.type = kTypes[dice.pick(12)];
  h.order = std::vector{ChannelOrder::r, ChannelOrder::rg,
                        ChannelOrder::rgba}[static_cast<std::size_t>(dice.pick(3))];
  h.width = static_cast<std::uint32_t>(dice.between(1, 9));
  const int axes = coordinates_of(shape);
  if (axes > 1) h.height = is_cube(shape) ? h.width : static_cast<std::uint32_t>(dice.between(1, 9));
  if (shape == TextureShape::d3) h.depth = static_cast<std::uint32_t>(dice.between(1, 5));
  if (has_layers(shape)) h.layers = static_cast<std::uint32_t>(dice.between(1, 4));
  h.normalized = static_cast<std::uint32_t>(dice.pick(2));
  h.filter = dice.chance(70) ? FilterMode::linear : FilterMode::nearest;
  for (AddressMode& mode : h.address) mode = static_cast<AddressMode>(dice.choose({0, 1, 3, 4}));
  for (std::uint32_t& c : h.border)
    c = std::bit_cast<std::uint32_t>(static_cast<float>(dice.between(-8, 8)) / 3.0f);
  complete(h, shape);
  h.row_bytes += h.texel_bytes * static_cast<std::uint32_t>(dice.pick(3));
  h.slice_rows += static_cast<std::uint32_t>(dice.pick(3));
  image.sampler = h;
  image.bytes.resize(extent_bytes(h));
  for (std::uint8_t& b : image.bytes) b = static_cast<std::uint8_t>(dice.pick(256));
  for (std::size_t at = 0; h.type == ChannelType::f32 && at + 4 <= image.bytes.size(); at += 4) {
    const float value = static_cast<float>(dice.between(-1000000, 1000000)) / 333333.0f;
    std::memcpy(&image.bytes[at], &value, 4);
  }
  for (std::size_t at = 1; h.type == ChannelType::f16 && at < image.bytes.size(); at += 2)
    if ((image.bytes[at] & 0x7cu) == 0x7cu) image.bytes[at] &= 0x83u;
  return image;
}

// Computes the formulas of the CUDA C++ Programming Guide exactly, with the filter weights of docs/on-gpu.md.
// Filtering recurses over the axes of the texture.

using Exact = __float128;

struct Expected {
  const TextureAccess& access;
  const Image& image;
  bool integers;

  const TextureHeader& h() const { return image.header; }
  bool linear() const {
    return !integers &&
           (access.gather != 0 || (image.sampler.filter == FilterMode::linear && gives_float(h().type)));
  }

  std::uint32_t component(std::int64_t x, std::int64_t y, std::int64_t slice, std::uint32_t c) const {
    if (x < 0 || y < 0 || slice < 0) return h().border[c];
    if (c >= channels_of(h().order)) return 0u;
    const std::size_t row = static_cast<std::size_t>(slice) * h().slice_rows + static_cast<std::size_t>(y);
    std::size_t at = row * h().row_bytes + static_cast<std::size_t>(x) * h().texel_bytes;
    const std::size_t bytes = h().texel_bytes / channels_of(h().order);
    at += c * bytes;
    std::int64_t whole = 0;
    for (std::size_t b = 0; b < bytes; ++b) whole += std::int64_t{image.bytes[at + b]} << (8 * b);
    const std::int64_t half = std::int64_t{1} << (8 * bytes - 1);
    const std::int64_t with_sign = whole < half ? whole : whole - 2 * half;
    const auto bits = [](double v) { return std::bit_cast<std::uint32_t>(static_cast<float>(v)); };
    switch (h().type) {
      case ChannelType::unorm8:
      case ChannelType::unorm16:
        return bits(static_cast<double>(whole) / static_cast<double>(2 * half - 1));
      case ChannelType::snorm8:
      case ChannelType::snorm16:
        return bits(std::max(-1.0, static_cast<double>(with_sign) / static_cast<double>(half - 1)));
      case ChannelType::s8:
      case ChannelType::s16:
        return static_cast<std::uint32_t>(with_sign);
      case ChannelType::f16: {
        const int exponent = static_cast<int>(whole >> 10 & 31);
        const double fraction = static_cast<double>(whole & 1023) / 1024.0 + (exponent != 0 ? 1.0 : 0.0);
        return bits((whole >= half ? -1 : 1) * std::ldexp(fraction, std::max(exponent, 1) - 15));
      }
      default:
        return static_cast<std::uint32_t>(whole);
    }
  }

  /// Returns the exact value of a texel component. In normalised formats, the value is an integer divided by
  /// the format's largest integer, such as 255. A border colour may have other values, which are returned
  /// unchanged.
  Exact exact(std::uint32_t bits) const {
    const float value = std::bit_cast<float>(bits);
    const int most = h().type == ChannelType::unorm8    ? 255
                     : h().type == ChannelType::unorm16 ? 65535
                     : h().type == ChannelType::snorm8  ? 127
                     : h().type == ChannelType::snorm16 ? 32767
                                                        : 0;
    const auto whole = static_cast<int>(std::lround(static_cast<double>(value) * most));
    const bool stands = most != 0 && static_cast<float>(static_cast<double>(whole) / most) == value;
    return stands ? static_cast<Exact>(whole) / most : static_cast<Exact>(value);
  }

  // Returns the index of the texel that the address mode (wrap, clamp, ...) selects, or -1 for the border.
  static std::int64_t stepped(std::int64_t i, std::int64_t n, AddressMode mode) {
    const bool outside = i < 0 || i >= n;
    if (!outside) return i;
    if (mode == AddressMode::clamp_to_border) return -1;
    if (mode == AddressMode::clamp_to_edge) return i < 0 ? 0 : n - 1;
    if (mode == AddressMode::wrap) return stepped(i < 0 ? i + n : i - n, n, mode);
    return stepped(i < 0 ? -1 - i : 2 * n - 1 - i, n, mode);
  }

  struct Axis {
    std::int64_t first = 0, second = 0;
    long part = 0;  ///< filter weight of the second texel, in units of 1/256
  };
  Axis axis(double u, std::int64_t n, AddressMode mode, bool normalized) const {
    if (!normalized && (mode == AddressMode::wrap || mode == AddressMode::mirror))
      mode = AddressMode::clamp_to_edge;
    if (is_cube(access.shape)) mode = AddressMode::clamp_to_edge;
    if (integers) mode = AddressMode::clamp_to_border;
    const double kept = is_cube(access.shape) ? u : std::ldexp(std::floor(std::ldexp(u, 21)), -21);
    const double texels = normalized ? kept * static_cast<double>(n) : u;
    if (!linear()) return {stepped(static_cast<std::int64_t>(std::floor(texels)), n, mode), 0, 0};
    const double below = std::floor(texels - 0.5);
    const long parts = std::lround((texels - 0.5 - below) * 256.0);
    const auto from = static_cast<std::int64_t>(below) + parts / 256;
    const std::int64_t first = stepped(from, n, mode), second = stepped(from + 1, n, mode);
    return {first, second, first == second ? 0 : parts % 256};
  }

  /// Splits the filter weight `weight` (in units of 1/256) into two shares. The second share is weight * part
  /// / 256, rounded; the first share is the rest.
  static std::pair<long, long> split(long weight, long part) {
    const long second = std::lround(static_cast<double>(weight * part) / 256.0);
    return {weight - second, second};
  }

  /// Rounds the weighted sum, whose unit is 1/256, to the result's format.
  std::uint32_t rounded(Exact sum) const {
    const auto bits = [](double v) { return std::bit_cast<std::uint32_t>(static_cast<float>(v)); };
    const auto whole = [](Exact v) {
      const auto below = static_cast<std::int64_t>(v);
      return static_cast<Exact>(v < static_cast<Exact>(below) ? below - 1 : below);
    };
    const bool has_sign = h().type == ChannelType::snorm8 || h().type == ChannelType::snorm16;
    if (has_sign || h().type == ChannelType::unorm8 || h().type == ChannelType::unorm16) {
      const Exact most = has_sign ? 32767 : 65535;
      const Exact tiny = static_cast<Exact>(1e-9);
      return bits(static_cast<double>(whole(sum * most / 256 + static_cast<Exact>(0.5) + tiny) / most));
    }
    const Exact value = sum / 256, size = value < 0 ? -value : value;
    const bool half = h().type == ChannelType::f16;
    Exact step = half ? static_cast<Exact>(0x1p-24) : static_cast<Exact>(0x1p-149);
    const Exact ones = half ? 2048 : 16777216;
    while (size >= step * ones) step *= 2;
    const Exact result = whole(size / step + static_cast<Exact>(0.5)) * step;
    return bits(static_cast<double>(value < 0 ? -result : result));
  }

  std::uint32_t at(const double* where, std::int64_t slice, std::uint32_t c) const {
    const bool cube = is_cube(access.shape);
    const bool normalized = cube || (!integers && (access.own_sampler && image.sampler.force_unnormalized != 0
                                                       ? false
                                                       : image.sampler.normalized != 0));
    const int axes = cube ? 2 : coordinates_of(access.shape);
    const auto& modes = image.sampler.address;
    const Axis x = axis(where[0], h().width, modes[0], normalized);
    const Axis y = axes > 1 ? axis(where[1], h().height, modes[1], normalized) : Axis{};
    const Axis z = axes > 2 ? axis(where[2], h().depth, modes[2], normalized) : Axis{slice, slice, 0};
    if (access.gather != 0) {
      const std::int64_t xs[] = {x.first, x.second, x.second, x.first};
      const std::int64_t ys[] = {y.second, y.second, y.first, y.first};
      return component(xs[c], ys[c], z.first, access.gather - 1u);
    }
    if (x.part == 0 && y.part == 0 && z.part == 0) return component(x.first, y.first, z.first, c);
    const auto value = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      return exact(component(i, j, k, c));
    };
    const auto column = [&](long weight, std::int64_t i, std::int64_t k, bool right) {
      // Split the weight of a column between its upper texel (y.first) and its lower texel (y.second). In the
      // right column, the lower texel's share is rounded; in the left column, the upper texel's share. The
      // other texel gets the rest of the weight.
      const long lower = right ? split(weight, y.part).second : weight - split(weight, 256 - y.part).second;
      const Exact first = weight > lower ? (weight - lower) * value(i, y.first, k) : 0;
      return lower ? first + lower * value(i, y.second, k) : first;
    };
    const auto slice_of = [&](long weight, std::int64_t k) {
      const auto [left, right] = split(weight, x.part);
      return column(left, x.first, k, false) + column(right, x.second, k, true);
    };
    return rounded(slice_of(256 - z.part, z.first) + slice_of(z.part, z.second));
  }
};

// face of a cube map: axis and sign of its direction, and axes and signs of the coordinates s and t on it
struct Face {
  int axis, axis_sign, s, s_sign, t, t_sign;
};
const Face kFaces[] = {{0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
                       {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1}};

std::array<std::uint32_t, 4> expected(const TextureAccess& access, const Image& image, DataType type,
                                      const std::array<std::uint32_t, 4>& raw) {
  const Expected e{access, image, type != DataType::f32};
  std::size_t next = 0;
  std::int64_t slice = 0;
  if (has_layers(access.shape))
    slice = std::min<std::int64_t>(raw[next++], std::int64_t{image.header.layers} - 1);
  double where[3] = {0, 0, 0};
  for (int c = 0; c < coordinates_of(access.shape); ++c, ++next)
    where[c] = e.integers ? static_cast<double>(std::bit_cast<std::int32_t>(raw[next]))
                          : double{std::bit_cast<float>(raw[next])};
  if (is_cube(access.shape)) {
    std::size_t best = 0;
    for (std::size_t f = 1; f < 6; ++f)
      if (where[kFaces[f].axis] * kFaces[f].axis_sign > where[kFaces[best].axis] * kFaces[best].axis_sign)
        best = f;
    const Face& face = kFaces[best];
    const double m = std::fabs(where[face.axis]);
    const double s = (where[face.s] * face.s_sign / m + 1) / 2, t = (where[face.t] * face.t_sign / m + 1) / 2;
    where[0] = s, where[1] = t;
    slice = 6 * slice + static_cast<std::int64_t>(best);
  }
  std::array<std::uint32_t, 4> result;
  for (std::uint32_t c = 0; c < 4; ++c) result[c] = e.at(where, slice, c);
  return result;
}

std::array<std::uint32_t, 4> looked_up(const TextureAccess& access, const Image& image, DataType type,
                                       const std::array<std::uint32_t, 4>& raw) {
  const Footprint footprint = footprint_of(access, type, image.header, image.sampler, raw);
  TexelBytes texels{};
  std::uint32_t weights = 0;
  for (std::size_t k = 0; k < footprint.count; ++k) {
    weights += footprint.weight[k];
    if (footprint.at[k] == Footprint::kBorder) continue;
    const std::uint64_t offset = footprint.at[k] - kBase;
    EXPECT_LE(offset + image.header.texel_bytes, image.bytes.size());
    if (offset + image.header.texel_bytes > image.bytes.size()) return {};
    std::memcpy(texels[k].data(), &image.bytes[offset], image.header.texel_bytes);
  }
  if (access.gather == 0) {
    EXPECT_EQ(weights, Footprint::kOne);
  }
  return filtered(access, image.header, footprint, texels);
}

std::uint32_t random_coordinate(fuzz::Dice& dice, bool integers, bool normalized, bool cube,
                                std::uint32_t n) {
  if (integers) return static_cast<std::uint32_t>(dice.between(-3, static_cast<int>(n) + 3));
  float value = static_cast<float>(dice.between(-3000000, 3000000)) / 1000000.0f;
  if (dice.chance(20)) value = static_cast<float>(dice.between(-8, 12)) / 4.0f;
  return std::bit_cast<std::uint32_t>(normalized || cube ? value : value * static_cast<float>(n));
}

void check_shape(TextureShape shape) {
  fuzz::Dice dice(17 + static_cast<std::uint64_t>(shape));
  Image image;
  int filtered_ones = 0, borders = 0;
  for (int n = 0; n < kLookUps; ++n) {
    if (n % 40 == 0) image = random_image(dice, shape);
    TextureAccess access{.shape = shape};
    const bool gathers = shape == TextureShape::d2 || shape == TextureShape::a2d || is_cube(shape);
    if (gathers && dice.chance(20)) access.gather = static_cast<std::uint8_t>(dice.between(1, 4));
    const bool integers = !is_cube(shape) && access.gather == 0 && dice.chance(25);
    access.own_sampler = dice.chance(20);
    image.sampler = image.header;
    if (access.own_sampler) {
      image.sampler.kind = HeaderKind::sampler;
      image.sampler.filter = static_cast<FilterMode>(dice.pick(2));
      image.sampler.force_unnormalized = dice.chance(30);
      image.sampler.normalized = 1;
    }
    const bool normalized = image.sampler.normalized != 0 && image.sampler.force_unnormalized == 0;
    std::array<std::uint32_t, 4> raw{};
    std::size_t next = 0;
    if (has_layers(shape)) raw[next++] = static_cast<std::uint32_t>(dice.pick(6));
    const std::uint32_t sizes[] = {image.header.width, image.header.height, image.header.depth};
    for (int c = 0; c < coordinates_of(shape); ++c)
      raw[next++] = random_coordinate(dice, integers, normalized, is_cube(shape), sizes[c]);
    const DataType type = integers ? DataType::s32 : DataType::f32;
    ASSERT_EQ(looked_up(access, image, type, raw), expected(access, image, type, raw))
        << name_of(shape) << ", look-up " << n << ", type " << std::hex
        << static_cast<std::uint32_t>(image.header.type);
    const Footprint footprint = footprint_of(access, type, image.header, image.sampler, raw);
    filtered_ones += footprint.count > 1;
    for (std::size_t k = 0; k < footprint.count; ++k) borders += footprint.at[k] == Footprint::kBorder;
  }
  EXPECT_GT(filtered_ones, kLookUps / 20);
  if (!is_cube(shape)) {
    EXPECT_GT(borders, kLookUps / 20);
  }
}

class TextureShapes : public ::testing::TestWithParam<TextureShape> {};
TEST_P(TextureShapes, TenThousandLookUps) { check_shape(GetParam()); }
INSTANTIATE_TEST_SUITE_P(All, TextureShapes,
                         ::testing::Values(TextureShape::d1, TextureShape::d2, TextureShape::d3,
                                           TextureShape::a1d, TextureShape::a2d, TextureShape::cube,
                                           TextureShape::acube),
                         [](const auto& one) { return std::string("Shape") + name_of(one.param); });

TEST(Texture, CoordinatesThatAreNoNumbersOrFarAway) {
  fuzz::Dice dice(3);
  Image image = random_image(dice, TextureShape::d2);
  for (const float far : {INFINITY, -INFINITY, NAN, 3e38f, -3e38f})
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::clamp_to_edge}) {
      image.header.address.fill(mode);
      image.sampler = image.header;
      const auto bits = std::bit_cast<std::uint32_t>(far);
      const Footprint f =
          footprint_of({.shape = TextureShape::d2}, DataType::f32, image.header, image.sampler, {bits, bits});
      ASSERT_GT(f.count, 0u);
      for (std::size_t k = 0; k < f.count; ++k) EXPECT_LT(f.at[k] - kBase, image.bytes.size());
    }
}

TEST(Texture, WeightsHaveEightBitsOfFraction) {
  Image image;
  TextureHeader& h = image.header;
  h.kind = HeaderKind::texture;
  h.filter = FilterMode::linear;
  h.width = 2;
  complete(h, TextureShape::d1);
  const float texels[] = {0.0f, 256.0f};
  image.bytes.resize(8);
  std::memcpy(image.bytes.data(), texels, 8);
  h.base = kBase;
  image.sampler = h;
  // 0.8 lies 0.3 texels after the first texel's centre. 0.3 is 76.8/256, so the second texel's weight is
  // 77/256. At the second texel's centre, its weight is 256/256, which needs nine bits.
  for (const auto& [x, result] :
       {std::pair{0.8f, 77.0f}, {0.5f, 0.0f}, {1.4985f, 256.0f}, {1.4979f, 255.0f}}) {
    const auto got =
        looked_up({.shape = TextureShape::d1}, image, DataType::f32, {std::bit_cast<std::uint32_t>(x)});
    EXPECT_EQ(std::bit_cast<float>(got[0]), result) << x;
  }
}

TEST(Texture, FaultsAreNamed) {
  TextureHeader texture, sampler;
  const TextureAccess access{.shape = TextureShape::d2, .own_sampler = true};
  EXPECT_EQ(look_up_fault(access, texture, sampler), "a look-up in what is no texture, or is not bound");
  texture.kind = HeaderKind::texture;
  complete(texture, TextureShape::d3);
  EXPECT_EQ(look_up_fault(access, texture, sampler), "a look-up of shape 2d in a texture of shape 3d");
  complete(texture, TextureShape::d2);
  EXPECT_EQ(look_up_fault(access, texture, sampler), "a look-up by what is no sampler, or is not bound");
  sampler.kind = HeaderKind::sampler;
  EXPECT_EQ(look_up_fault(access, texture, sampler), "");
}

}  // namespace
}  // namespace heddle::isa
