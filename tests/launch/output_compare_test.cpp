#include "testbench/launch/output_compare.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace heddle::launch {
namespace {

template <class T>
class Values {
 public:
  Values(ElementType type, std::vector<T> values) : bytes_(values.size() * sizeof(T)) {
    std::memcpy(bytes_.data(), values.data(), bytes_.size());
    view_.name = "c";
    view_.type = type;
    view_.data = bytes_;
  }
  const BufferView& view() const { return view_; }

 private:
  std::vector<std::uint8_t> bytes_;
  BufferView view_;
};
Values<float> floats(std::vector<float> v) { return {ElementType::f32, std::move(v)}; }

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(OutputCompare, ExactMeansBitForBit) {
  const auto a = floats({1, 0.0f, kNan}), b = floats({1, -0.0f, kNan});
  EXPECT_TRUE(compare_buffers(a.view(), a.view(), {}).equal);
  const auto result = compare_buffers(a.view(), b.view(), {});
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.report(), "buffer c: 1 of 3 elements differ, the first at index 1: 0, expected -0");
}

TEST(OutputCompare, ToleranceIsAbsolutePlusRelative) {
  const Tolerance tolerance{false, 0.01, 0.5};
  const auto expected = floats({100, 100, 0, kNan, kInf, kInf});
  EXPECT_TRUE(
      compare_buffers(floats({101.5f, 98.5f, 0.5f, kNan, kInf, kInf}).view(), expected.view(), tolerance)
          .equal);
  const auto off =
      compare_buffers(floats({101.75f, 98.25f, 0.75f, 1, -kInf, 1}).view(), expected.view(), tolerance);
  EXPECT_EQ(off.differing, 6u);
  EXPECT_EQ(off.first_index, 0u);
  EXPECT_EQ(off.actual, "101.75");
}

TEST(OutputCompare, BuffersOfDifferentKindDoNotAgree) {
  const auto a = floats({1}), b = floats({1, 2});
  EXPECT_FALSE(compare_buffers(a.view(), b.view(), {}).equal);
  const Values<std::uint32_t> c(ElementType::u32, {1});
  EXPECT_EQ(compare_buffers(a.view(), c.view(), {}).report(),
            "buffer c: 1 elements of f32, expected 1 of u32");
}

TEST(OutputCompare, IntegersOf64BitsAreShownWhole) {
  const Values<std::uint64_t> a(ElementType::u64, {~0ull}), b(ElementType::u64, {~0ull - 1});
  const auto result = compare_buffers(a.view(), b.view(), {});
  EXPECT_EQ(result.actual, "18446744073709551615");
  EXPECT_EQ(result.expected, "18446744073709551614");
}

TEST(OutputCompare, EachOutputHasItsOwnRule) {
  auto a = floats({1.0f}), b = floats({1.001f});
  BufferView tolerant = b.view();
  tolerant.compare = {false, 0.01, 0};
  const auto results = compare_outputs({a.view(), a.view()}, {tolerant, b.view()});
  EXPECT_TRUE(results[0].equal);
  EXPECT_FALSE(results[1].equal);
  EXPECT_EQ(report_differences(results),
            "buffer c: 1 of 1 elements differ, the first at index 0: 1, expected 1.00100005\n");
}

}  // namespace
}  // namespace heddle::launch
