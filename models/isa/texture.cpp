#include "models/isa/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "models/isa/half_sums.h"

namespace heddle::isa {
namespace {

constexpr int kParts = 256;  // Filter weights are multiples of 1/kParts (8 bits).

/// The two neighbouring texels along one axis for linear filtering. `at`: their indices (-1 = border).
/// `part`: weight of the second texel in units of 1/kParts.
struct Neighbours {
  std::int64_t at[2] = {0, 0};
  std::uint32_t part = 0;
};

std::int64_t modulo(std::int64_t i, std::int64_t n) {
  if (i >= 0 && i < n) return i;
  return (i % n + n) % n;
}

/// Replaces std::floor, which is slow on hosts without SSE4.1.
double floor_of(double x) {
  constexpr double kAllWhole = 0x1p52;
  if (!(std::fabs(x) < kAllWhole)) return x;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

std::int64_t placed(std::int64_t i, std::int64_t n, AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap:
      return modulo(i, n);
    case AddressMode::mirror: {
      const std::int64_t there = modulo(i, 2 * n);
      return there < n ? there : 2 * n - 1 - there;
    }
    case AddressMode::clamp_to_border:
      return i < 0 || i >= n ? -1 : i;
    case AddressMode::clamp_ogl:
    case AddressMode::clamp_to_edge:
      break;
  }
  return std::clamp<std::int64_t>(i, 0, n - 1);
}

/// Returns the texels that a look-up uses along one axis at coordinate `u`, which is in units of texels. `n`:
/// number of texels along this axis.
Neighbours neighbours(double u, std::int64_t n, AddressMode mode, bool linear) {
  // Coordinates are limited to this value, which lies beyond the edge of every texture. Larger coordinates
  // would overflow the conversion to an integer.
  constexpr double kFar = 0x1p40;
  u = std::isnan(u) ? 0.0 : std::clamp(u, -kFar, kFar);
  Neighbours result;
  if (!linear) {
    result.at[0] = placed(static_cast<std::int64_t>(floor_of(u)), n, mode);
    return result;
  }
  const auto parts = static_cast<std::int64_t>(floor_of((u - 0.5) * kParts + 0.5));
  const std::int64_t part = parts & (kParts - 1), first = (parts - part) / kParts;
  for (int k = 0; k < 2; ++k) result.at[k] = placed(first + k, n, mode);
  if (result.at[0] != result.at[1]) result.part = static_cast<std::uint32_t>(part);
  return result;
}

/// Weights of the eight texels that surround a point of a 3D texture, in units of 1/kParts. The total weight
/// is divided along z first, then x, then y.
struct Corners {
  std::uint32_t weight[2][2][2];
};
Corners corner_weights(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  Corners result;
  for (int k = 0; k < 2; ++k) {
    const std::uint32_t slice = k == 0 ? kParts - z : z;
    const std::uint32_t right = (slice * x + kParts / 2) / kParts;
    const std::uint32_t columns[2] = {slice - right, right};
    for (std::uint32_t i = 0; i < 2; ++i) {
      // If a weight lies half-way between two multiples of 1/kParts, rounds it down in the left column of
      // texels and up in the right column, as an H200 does (texture.h).
      const std::uint32_t second = (columns[i] * y + kParts / 2 - 1 + i) / kParts;
      result.weight[k][0][i] = columns[i] - second;
      result.weight[k][1][i] = second;
    }
  }
  return result;
}

/// Converts a normalised coordinate to units of texels. Uses only 21 bits of its fraction, or 22 bits in wide
/// textures (texture.h).
double texels_of(double at, std::int64_t n) {
  constexpr std::int64_t kWide = 16384;
  const double steps = n > kWide ? 0x1p22 : 0x1p21;
  return floor_of(at * steps) / steps * static_cast<double>(n);
}

/// Face of a cube texture that a direction meets, and the coordinates of the point on this face (0 to 1).
struct FacePoint {
  std::int64_t face = 0;
  double s = 0, t = 0;
};
FacePoint face_point(double x, double y, double z) {
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  std::int64_t face = 4;
  double m = az, s = x, t = -y;
  if (ax >= ay && ax >= az) {
    face = 0;
    m = ax, s = x < 0 ? z : -z;
  } else if (ay >= az) {
    face = 2;
    m = ay, t = y < 0 ? -z : z;
  } else if (z < 0) {
    s = -x;
  }
  const double major = face == 0 ? x : face == 2 ? y : z;
  return {face + (major < 0 ? 1 : 0), (s / m + 1) / 2, (t / m + 1) / 2};
}

class Looker {
 public:
  Looker(const TextureAccess& access, bool integers, const TextureHeader& texture,
         const TextureHeader& sampler)
      : access_(access), texture_(texture), sampler_(sampler), integers_(integers) {
    const bool forced = access.own_sampler && sampler.force_unnormalized != 0;
    normalized_ = !integers && !forced && (access.own_sampler ? sampler : texture).normalized != 0;
    const bool interpolates = sampler.filter == FilterMode::linear && gives_float(texture.type);
    linear_ = !integers && (access.gather != 0 || interpolates);
  }

  Footprint look(const std::array<std::uint32_t, 4>& coordinates) const {
    std::size_t next = 0;
    std::int64_t slice = 0;
    if (has_layers(access_.shape)) {
      const std::int64_t last = std::int64_t{texture_.layers} - 1;
      slice = std::min<std::int64_t>(coordinates[next++], last);
    }
    double at[3] = {0, 0, 0};
    const int count = coordinates_of(access_.shape);
    for (int c = 0; c < count; ++c) at[c] = value(coordinates[next++]);
    Neighbours z;
    bool normalized = normalized_;
    if (access_.shape == TextureShape::cube || access_.shape == TextureShape::acube) {
      const FacePoint point = face_point(at[0], at[1], at[2]);
      at[0] = point.s;
      at[1] = point.t;
      slice = 6 * slice + point.face;
      normalized = true;
    } else if (access_.shape == TextureShape::d3) {
      z = axis(at[2], texture_.depth, 2, normalized);
    }
    const bool flat = count == 1;
    const Neighbours x = axis(at[0], texture_.width, 0, normalized);
    const Neighbours y = flat ? Neighbours{} : axis(at[1], texture_.height, 1, normalized);
    return access_.gather != 0 ? gathered(x, y, slice) : weighed(x, y, z, slice);
  }

 private:
  double value(std::uint32_t bits) const {
    if (integers_) return std::bit_cast<std::int32_t>(bits);
    return std::bit_cast<float>(bits);
  }

  Neighbours axis(double at, std::int64_t n, std::size_t number, bool normalized) const {
    AddressMode mode = sampler_.address[number];
    const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
    const bool face = access_.shape == TextureShape::cube || access_.shape == TextureShape::acube;
    if (face || (repeats && !normalized)) mode = AddressMode::clamp_to_edge;
    if (integers_) mode = AddressMode::clamp_to_border;
    if (normalized) at = face ? at * static_cast<double>(n) : texels_of(at, n);
    return neighbours(at, n, mode, linear_);
  }

  std::uint64_t address(std::int64_t x, std::int64_t y, std::int64_t slice) const {
    if (x < 0 || y < 0 || slice < 0) return Footprint::kBorder;
    const std::uint64_t row =
        static_cast<std::uint64_t>(slice) * texture_.slice_rows + static_cast<std::uint64_t>(y);
    return texture_.base + row * texture_.row_bytes + static_cast<std::uint64_t>(x) * texture_.texel_bytes;
  }

  Footprint weighed(const Neighbours& x, const Neighbours& y, const Neighbours& z, std::int64_t slice) const {
    Footprint result;
    const Corners corners = corner_weights(x.part, y.part, z.part);
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          const std::uint32_t weight = corners.weight[k][j][i];
          if (weight == 0) continue;
          const bool outside = z.at[k] < 0;
          result.at[result.count] = address(x.at[i], y.at[j], outside ? -1 : slice + z.at[k]);
          result.weight[result.count++] = weight * (Footprint::kOne / kParts);
        }
    return result;
  }

  /// Returns the four texels of a tld4 in the order of its result: counter-clockwise from the lower left. Row
  /// numbers increase downwards.
  Footprint gathered(const Neighbours& x, const Neighbours& y, std::int64_t slice) const {
    Footprint result;
    result.count = 4;
    result.weight.fill(0);
    result.at[0] = address(x.at[0], y.at[1], slice);
    result.at[1] = address(x.at[1], y.at[1], slice);
    result.at[2] = address(x.at[1], y.at[0], slice);
    result.at[3] = address(x.at[0], y.at[0], slice);
    return result;
  }

  const TextureAccess& access_;
  const TextureHeader& texture_;
  const TextureHeader& sampler_;
  bool integers_;
  bool normalized_ = false, linear_ = false;
};

template <class T>
T taken(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

std::uint32_t float_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t channel(ChannelType type, const std::uint8_t* from) {
  const auto extended = [](std::int32_t value) { return static_cast<std::uint32_t>(value); };
  switch (type) {
    case ChannelType::snorm8:
      return float_bits(std::max(-1.0f, static_cast<float>(taken<std::int8_t>(from)) / 127.0f));
    case ChannelType::snorm16:
      return float_bits(std::max(-1.0f, static_cast<float>(taken<std::int16_t>(from)) / 32767.0f));
    case ChannelType::unorm8:
      return float_bits(static_cast<float>(*from) / 255.0f);
    case ChannelType::unorm16:
      return float_bits(static_cast<float>(taken<std::uint16_t>(from)) / 65535.0f);
    case ChannelType::s8:
      return extended(taken<std::int8_t>(from));
    case ChannelType::s16:
      return extended(taken<std::int16_t>(from));
    case ChannelType::u8:
      return *from;
    case ChannelType::u16:
      return taken<std::uint16_t>(from);
    case ChannelType::f16:
      return float_bits(lanes::baseline::value_of_half(taken<std::uint16_t>(from)));
    case ChannelType::s32:
    case ChannelType::u32:
    case ChannelType::f32:
      break;
  }
  return taken<std::uint32_t>(from);
}

using Components = std::array<std::uint32_t, 4>;

Components components(const TextureHeader& texture, const Footprint& footprint, const TexelBytes& texels,
                      std::size_t number) {
  if (footprint.at[number] == Footprint::kBorder) return texture.border;
  Components result{};
  const std::uint32_t bytes = bytes_of(texture.type);
  for (std::uint32_t c = 0; c < channels_of(texture.order); ++c)
    result[c] = channel(texture.type, texels[number].data() + c * std::size_t{bytes});
  return result;
}

/// Rounds `v` to a floating-point format, half away from 0. `fraction_bits`: number of fraction bits of the
/// format. `least_exponent`: exponent of the format's least normal number.
double nearest_away(double v, int fraction_bits, int least_exponent) {
  if (!std::isfinite(v)) return v;
  const auto own = static_cast<int>(std::bit_cast<std::uint64_t>(v) << 1 >> 53) - 1023;
  const int exponent = std::max(own, least_exponent);
  const double steps = std::fabs(v) * power_of_two(fraction_bits - exponent);
  return std::copysign(floor_of(steps + 0.5) * power_of_two(exponent - fraction_bits), v);
}

/// Rounds the filtered value `v` of a normalised channel to a multiple of 1/`most`, half up.
double nearest_whole(double v, double most) {
  // kInexact is larger than the sum of all rounding errors of `v`. If v * most is less than kInexact below
  // the middle between two integers, it therefore counts as the middle, and is rounded up.
  constexpr double kInexact = 0x1p-20;
  return floor_of(v * most + 0.5 + kInexact) / most;
}

double rounded(double v, ChannelType type) {
  switch (type) {
    case ChannelType::unorm8:
    case ChannelType::unorm16:
      return nearest_whole(v, 65535);
    case ChannelType::snorm8:
    case ChannelType::snorm16:
      return nearest_whole(v, 32767);
    case ChannelType::f16:
      return nearest_away(v, 10, -14);
    default:
      return nearest_away(v, 23, -126);
  }
}

/// Integer that represents 1.0 in a normalised channel, such as 255 for unorm8; 0 for other channels.
constexpr double most_of(ChannelType type) {
  switch (type) {
    case ChannelType::unorm8:
      return 255;
    case ChannelType::unorm16:
      return 65535;
    case ChannelType::snorm8:
      return 127;
    case ChannelType::snorm16:
      return 32767;
    default:
      return 0;
  }
}

/// Returns a component of the border colour in the form in which the filter uses it. For a normalised
/// channel, undoes the rounding of the component to a float.
double filtered_value(ChannelType type, std::uint32_t component) {
  const double value = double{std::bit_cast<float>(component)}, most = most_of(type);
  const double whole = std::rint(value * most);
  return most > 0 && std::fabs(value * most - whole) < 0x1p-6 ? whole / most : value;
}

constexpr std::array<double, 256> kOf255 = [] {
  std::array<double, 256> parts{};
  for (int i = 0; i < 256; ++i) parts[static_cast<std::size_t>(i)] = i / 255.0;
  return parts;
}();

/// Returns the value of one channel of a texel in the form in which the filter uses it. `from`: address of
/// the stored channel. For a normalised channel: the stored integer divided by the integer that represents
/// 1.0.
double filtered_value(ChannelType type, const std::uint8_t* from) {
  switch (type) {
    case ChannelType::unorm8:
      return kOf255[*from];
    case ChannelType::unorm16:
      return taken<std::uint16_t>(from) / most_of(ChannelType::unorm16);
    case ChannelType::snorm8:
      return std::max(-1.0, taken<std::int8_t>(from) / most_of(ChannelType::snorm8));
    case ChannelType::snorm16:
      return std::max(-1.0, taken<std::int16_t>(from) / most_of(ChannelType::snorm16));
    default:
      return double{std::bit_cast<float>(channel(type, from))};
  }
}

}  // namespace

std::uint32_t bytes_of(ChannelType t) {
  switch (t) {
    case ChannelType::snorm8:
    case ChannelType::unorm8:
    case ChannelType::s8:
    case ChannelType::u8:
      return 1;
    case ChannelType::snorm16:
    case ChannelType::unorm16:
    case ChannelType::s16:
    case ChannelType::u16:
    case ChannelType::f16:
      return 2;
    case ChannelType::s32:
    case ChannelType::u32:
    case ChannelType::f32:
      break;
  }
  return 4;
}

int coordinates_of(TextureShape shape) {
  switch (shape) {
    case TextureShape::none:
    case TextureShape::d1:
    case TextureShape::a1d:
      return 1;
    case TextureShape::d2:
    case TextureShape::a2d:
      return 2;
    case TextureShape::d3:
    case TextureShape::cube:
    case TextureShape::acube:
      break;
  }
  return 3;
}

void complete(TextureHeader& header, TextureShape shape) {
  header.shape = static_cast<std::uint32_t>(shape);
  header.texel_bytes = bytes_of(header.type) * channels_of(header.order);
  header.width_bytes = header.width * header.texel_bytes;
  if (header.row_bytes == 0) header.row_bytes = header.width_bytes;
  if (header.slice_rows == 0) header.slice_rows = header.height;
  const bool cube = shape == TextureShape::cube || shape == TextureShape::acube;
  header.slices = shape == TextureShape::d3 ? header.depth : header.layers * (cube ? 6 : 1);
}

std::uint64_t extent_bytes(const TextureHeader& header) {
  const std::uint64_t rows =
      (header.slices - std::uint64_t{1}) * header.slice_rows + header.height - std::uint64_t{1};
  return rows * header.row_bytes + header.width_bytes;
}

std::string look_up_fault(const TextureAccess& access, const TextureHeader& texture,
                          const TextureHeader& sampler) {
  if (texture.kind != HeaderKind::texture) return "a look-up in what is no texture, or is not bound";
  if (static_cast<TextureShape>(texture.shape) != access.shape)
    return std::string("a look-up of shape ") + name_of(access.shape) + " in a texture of shape " +
           name_of(static_cast<TextureShape>(texture.shape));
  if (access.own_sampler && sampler.kind != HeaderKind::sampler)
    return "a look-up by what is no sampler, or is not bound";
  return {};
}

Footprint footprint_of(const TextureAccess& access, DataType coordinate_type, const TextureHeader& texture,
                       const TextureHeader& sampler, const std::array<std::uint32_t, 4>& coordinates) {
  return Looker(access, coordinate_type != DataType::f32, texture, sampler).look(coordinates);
}

Components filtered(const TextureAccess& access, const TextureHeader& texture, const Footprint& footprint,
                    const TexelBytes& texels) {
  if (access.gather != 0) {
    Components result{};
    for (std::size_t k = 0; k < 4; ++k)
      result[k] = components(texture, footprint, texels, k)[access.gather - 1u];
    return result;
  }
  if (footprint.count == 1) return components(texture, footprint, texels, 0);
  std::array<double, 4> sums{};
  const auto* const last = footprint.at.begin() + footprint.count;
  const bool borders = std::find(footprint.at.begin(), last, Footprint::kBorder) != last;
  const std::uint32_t channels = channels_of(texture.order), bytes = bytes_of(texture.type);
  const std::size_t present = borders ? sums.size() : channels;
  for (std::size_t k = 0; k < footprint.count; ++k) {
    const double weight = footprint.weight[k] / double{Footprint::kOne};
    if (footprint.at[k] == Footprint::kBorder)
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += weight * filtered_value(texture.type, texture.border[c]);
    else
      for (std::size_t c = 0; c < channels; ++c)
        sums[c] += weight * filtered_value(texture.type, texels[k].data() + c * bytes);
  }
  Components result{};
  for (std::size_t c = 0; c < present; ++c)
    result[c] = float_bits(static_cast<float>(rounded(sums[c], texture.type)));
  return result;
}

}  // namespace heddle::isa
