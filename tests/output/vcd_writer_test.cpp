// The bytes of a value change dump.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "models/core/error.h"
#include "testbench/output/waves_vcd_writer.h"
#include "tests/output/vcd_file.h"

namespace heddle::output {
namespace {

std::string written(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  std::remove(path.c_str());
  return text.str();
}

TEST(VcdWriter, WritesScopesLevelsAndTimes) {
  const std::string path = testing::TempDir() + "heddle_writer.vcd";
  VcdWriter writer(path);
  const std::size_t state = writer.add("a.b.state", 4), busy = writer.add("a.busy", 1);
  writer.begin("1 ps", 100);
  writer.change(100, state, Level::of(5));
  writer.change(200, busy, Level::of(1));
  writer.change(200, state, Level::of(0));
  writer.change(300, state, Level::none());
  writer.end(400);
  EXPECT_EQ(
      written(path),
      "$version Heddle $end\n$timescale 1 ps $end\n$scope module a $end\n$scope module b $end\n"
      "$var wire 4 ! state [3:0] $end\n$upscope $end\n$var wire 1 \" busy $end\n$upscope $end\n"
      "$enddefinitions $end\n#100\n$dumpvars\nbx !\nx\"\n$end\nb101 !\n#200\n1\"\nb0 !\n#300\nbz !\n#400\n");
}

TEST(VcdWriter, EverySignalHasAShortNameOfItsOwn) {
  const std::string path = testing::TempDir() + "heddle_many.vcd";
  constexpr std::size_t kSignals = 20000;  // three characters
  VcdWriter writer(path);
  for (std::size_t i = 0; i < kSignals; ++i) writer.add("s" + std::to_string(i), 8);
  writer.begin("1 ps", 0);
  for (std::size_t i = 0; i < kSignals; ++i) writer.change(1, i, Level::of(i % 251 + 1));
  writer.end(2);
  const VcdFile file = read_vcd(written(path));
  ASSERT_EQ(file.signals.size(), kSignals);
  for (const auto& [name, signal] : file.signals) ASSERT_EQ(signal.changes.size(), 2u) << name;
}

TEST(VcdWriter, RefusesToGoBackInTime) {
  const std::string path = testing::TempDir() + "heddle_back.vcd";
  VcdWriter writer(path);
  const std::size_t s = writer.add("s", 1);
  writer.begin("1 ps", 10);
  EXPECT_THROW(writer.change(9, s, Level::of(1)), InternalError);
  std::remove(path.c_str());
}

TEST(VcdWriter, SaysWhichFileCannotBeWritten) {
  try {
    VcdWriter writer("/nonexistent/waves.vcd");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "/nonexistent/waves.vcd");
  }
}

}  // namespace
}  // namespace heddle::output
