// Tests how the patterns of output.vcd.select select waveform signals.

#include <gtest/gtest.h>

#include "testbench/output/waves.h"

namespace heddle::output {
namespace {

using Patterns = std::vector<std::string>;

TEST(Patterns, NothingMeansEverything) {
  EXPECT_EQ(split_patterns(""), Patterns{"**"});
  EXPECT_EQ(split_patterns(" , "), Patterns{"**"});
}

TEST(Patterns, CommasSeparateAndBlanksAroundThemGo) {
  EXPECT_EQ(split_patterns("sm0.*warp*, *.banks.* ,x"), (Patterns{"sm0.*warp*", "*.banks.*", "x"}));
}

}  // namespace
}  // namespace heddle::output
