// Tests the text that printf prints in simulated kernels.

#include "models/isa/runtime_call.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <bit>

namespace heddle::isa {
namespace {

std::string printed(const std::string& format, const std::vector<std::uint64_t>& values) {
  return print(parse_printf(format, 64, "t.ptx"), values,
               [](std::uint64_t) { return std::string("abcdef"); });
}

constexpr const char* kTooLong = "(a width beyond all bounds)";
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t star(int value) { return static_cast<std::uint32_t>(value); }

TEST(RuntimeCall, PrintsAsCDoes) {
  EXPECT_EQ(printed("%05d|%-4x|%+.2f", {7, 255, bits(1.5)}), "00007|ff  |+1.50");
  EXPECT_EQ(printed("%*d|%.*f", {star(-4), 7, star(-1), bits(0.5)}), "7   |0.500000");
  EXPECT_EQ(printed("%.3s|%8s", {0, 0}), "abc|  abcdef");
}

TEST(RuntimeCall, AWidthUpToItsBound) {
  EXPECT_EQ(printed("%4096d", {1}).size(), 4096u);
  EXPECT_EQ(printed("%4097d", {1}), kTooLong);
  EXPECT_EQ(printed("%-*d.", {star(-4097), 1}), std::string(kTooLong) + ".");
  EXPECT_EQ(printed("%.*d", {star(4097), 1}), kTooLong);
  EXPECT_EQ(printed("%.1000000000s", {0}), "abcdef") << "the precision of a string only shortens it";
}

// The C library's printf allocates memory for width and precision before it knows the text's length. Heddle's
// printf must allocate no memory for a large width.
TEST(RuntimeCall, NoWidthTakesMemory) {
  for (const char* format : {"%1000000000d", "%.1000000000d", "%.1000000000f", "%99999999999999999999999d"})
    EXPECT_EQ(printed(format, {bits(1.5)}), kTooLong) << format;
  EXPECT_EQ(printed("%.*f|%*f", {star(1000000000), bits(1.5), star(-2147483647 - 1), bits(1.5)}),
            std::string(kTooLong) + "|" + kTooLong);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, 256 * 1024) << "KiB";
}

}  // namespace
}  // namespace heddle::isa
