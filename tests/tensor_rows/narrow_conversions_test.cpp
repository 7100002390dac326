// Tests the instruction cvt to tf32, and cvt between pairs of 8-bit floats and f32 or f16x2. The expected
// results follow from the definitions of the formats.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "models/isa/lane_operands.h"

namespace heddle::tensor_rows {
namespace {

using isa::DataType;

isa::Instruction conversion(DataType to, DataType from, isa::Rounding rounding = isa::Rounding::rn) {
  isa::Instruction i;
  i.op = isa::Opcode::cvt;
  i.type = to;
  i.source_type = from;
  i.modifiers.rounding = rounding;
  i.modifiers.satfinite = isa::bits_of(to) == 16;
  return i;
}

std::uint32_t convert(const isa::Instruction& i, std::uint32_t a, std::uint32_t b = 0) {
  LaneVec sources[2], result;
  sources[0].fill(a);
  sources[1].fill(b);
  isa::LaneOperands o;
  o.src[0][0] = sources;
  o.src[1][0] = sources + 1;
  o.dst[0][0] = &result;
  isa::find_lane_function(i)(i, o);
  return result[17];
}

// Returns the value of an 8-bit float by its definition; NaN for all patterns that are no finite number.
double value(DataType type, unsigned byte) {
  const int fraction = type == DataType::e4m3x2 ? 3 : 2, bias = type == DataType::e4m3x2 ? 7 : 15;
  const int field = static_cast<int>(byte >> fraction & ((1u << (7 - fraction)) - 1)),
            low = static_cast<int>(byte & ((1u << fraction) - 1));
  const int most = (1 << (7 - fraction)) - 1;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (type == DataType::e4m3x2 ? field == most && low == 7 : field == most) return nan;
  const double size = field == 0 ? std::ldexp(low, 1 - bias - fraction)
                                 : std::ldexp(low + (1 << fraction), field - bias - fraction);
  return byte & 0x80 ? -size : size;
}

class Bytes : public testing::TestWithParam<DataType> {};

TEST_P(Bytes, EveryValueSurvivesTheWayToHalfAndBack) {
  const DataType type = GetParam();
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::uint32_t halves = convert(conversion(DataType::f16x2, type), byte | 0x3800u);
    if (std::isnan(value(type, byte)) && (type == DataType::e4m3x2 || (byte & 3) != 0)) {
      EXPECT_EQ(halves & 0xffffu, 0x7fffu) << byte;
      continue;
    }
    if (std::isnan(value(type, byte))) continue;  // an infinity of e5m2, which .satfinite does not keep
    EXPECT_EQ(convert(conversion(type, DataType::f16x2), halves), byte | 0x3800u) << byte;
  }
}

TEST_P(Bytes, RoundsToTheNearestEvenNumber) {
  const DataType type = GetParam();
  std::vector<double> inputs = {1e30, 1e-30, 0.0, std::numeric_limits<double>::infinity()};
  for (unsigned byte = 0; byte < 0x7f; ++byte) {
    if (std::isnan(value(type, byte)) || std::isnan(value(type, byte + 1))) break;
    const double middle = (value(type, byte) + value(type, byte + 1)) / 2;
    for (const double x : {value(type, byte), middle, std::nextafter(static_cast<float>(middle), 1e9F) * 1.0,
                           std::nextafter(static_cast<float>(middle), 0.0F) * 1.0})
      inputs.push_back(x);
  }
  for (const double x : inputs)
    for (const double signed_x : {x, -x}) {
      unsigned best = 0;
      double least = std::numeric_limits<double>::infinity();
      for (unsigned byte = 0; byte < 0x80; ++byte) {
        const double distance = std::fabs(std::min(x, 1e9) - value(type, byte));
        if (distance < least || (distance == least && byte % 2 == 0)) {
          least = distance;
          best = byte;
        }
      }
      if (std::signbit(signed_x)) best |= 0x80;
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(signed_x));
      EXPECT_EQ(convert(conversion(type, DataType::f32), 0x3f800000u, bits) & 0xff, best) << signed_x;
      EXPECT_EQ(convert(conversion(type, DataType::f32), bits, 0x3f800000u) >> 8, best) << signed_x;
    }
}

TEST_P(Bytes, NanAndRelu) {
  isa::Instruction i = conversion(GetParam(), DataType::f32);
  EXPECT_EQ(convert(i, 0x7fc00000u, 0xffc00000u), 0x7f7fu);
  i.modifiers.relu = true;
  EXPECT_EQ(convert(i, 0xbf800000u, 0x80000000u), 0u);
  i = conversion(DataType::f16x2, GetParam());
  i.modifiers.relu = true;
  EXPECT_EQ(convert(i, 0x80b8u), 0u);
}

INSTANTIATE_TEST_SUITE_P(Formats, Bytes, testing::Values(DataType::e4m3x2, DataType::e5m2x2));

TEST(Tf32, RoundsBySize) {
  const auto of = [](isa::Rounding r, std::uint32_t bits) {
    return convert(conversion(DataType::tf32, DataType::f32, r), bits);
  };
  using enum isa::Rounding;
  EXPECT_EQ(of(rna, 0x3f801000u), 0x3f802000u);  // a tie goes away from zero
  EXPECT_EQ(of(rna, 0xbf801000u), 0xbf802000u);
  EXPECT_EQ(of(rna, 0x3f800fffu), 0x3f800000u);
  EXPECT_EQ(of(rn, 0x3f801000u), 0x3f800000u);  // a tie goes to the even number
  EXPECT_EQ(of(rn, 0x3f803000u), 0x3f804000u);
  EXPECT_EQ(of(rz, 0x3f803fffu), 0x3f802000u);
  EXPECT_EQ(of(rna, 0x7f7fffffu), 0x7f800000u);
  EXPECT_EQ(of(rna, 0x7f800000u), 0x7f800000u);
  EXPECT_EQ(of(rna, 0xffc00001u), 0x7fffffffu);
  isa::Instruction finite = conversion(DataType::tf32, DataType::f32, rna);
  finite.modifiers.satfinite = true;
  EXPECT_EQ(convert(finite, 0xff7fffffu), 0xff7fe000u);
}

}  // namespace
}  // namespace heddle::tensor_rows
