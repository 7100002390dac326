// Tests the bytes of VCD waveform files (value change dump).

#include <gtest/gtest.h>

#include <bitset>
#include <cstdio>
#include <fstream>
#include <random>
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
  launch::NewFile file(path);
  VcdWriter writer(file);
  const std::size_t state = writer.add("a.b.state", 4), busy = writer.add("a.busy", 1);
  writer.declare("1 ps");
  writer.begin(100);
  writer.set(state, Level::of(5));
  writer.at(200);
  writer.set(busy, Level::of(1));
  writer.set(state, Level::of(0));
  writer.at(300);
  writer.set(state, Level::none());
  writer.end(400);
  file.commit();
  EXPECT_EQ(
      written(path),
      "$version Heddle $end\n$timescale 1 ps $end\n$scope module a $end\n$scope module b $end\n"
      "$var wire 4 ! state [3:0] $end\n$upscope $end\n$var wire 1 \" busy $end\n$upscope $end\n"
      "$enddefinitions $end\n#100\n$dumpvars\nbx !\nx\"\n$end\nb101 !\n#200\n1\"\nb0 !\n#300\nbz !\n#400\n");
}

TEST(VcdWriter, WritesWhatChangesAlone) {
  const std::string path = testing::TempDir() + "heddle_changes.vcd";
  launch::NewFile file(path);
  VcdWriter writer(file);
  const std::size_t a = writer.add("a", 64), hidden = writer.add_unwritten(), b = writer.add("b", 8);
  writer.declare("1 ps");
  writer.begin(0);
  for (const std::size_t signal : {a, hidden, b}) writer.set(signal, Level::none());
  for (const std::uint64_t time : {1, 2, 3}) {
    writer.at(time);
    writer.set(a, Level::of(time / 2));
    writer.set(hidden, Level::of(time));
  }
  EXPECT_TRUE(writer.toggled(a));
  EXPECT_FALSE(writer.toggled(b)) << "one value";
  writer.end(4);
  file.commit();
  const std::string text = written(path);
  EXPECT_EQ(text.substr(text.find("$dumpvars")),
            "$dumpvars\nbx !\nbx \"\n$end\nbz !\nbz \"\n#1\nb0 !\n#2\nb1 !\n#4\n");
}

TEST(VcdWriter, WritesEveryValueAsItsDigits) {
  const std::string path = testing::TempDir() + "heddle_digits.vcd";
  launch::NewFile file(path);
  VcdWriter writer(file);
  const std::size_t s = writer.add("s", 64);
  writer.declare("1 ps");
  writer.begin(0);
  std::vector<std::pair<std::uint64_t, std::string>> expected{{0, "x"}};
  std::mt19937_64 random(1);
  for (std::uint64_t time = 1; time <= 6400; ++time) {
    const std::uint64_t value = (random() | std::uint64_t{1} << 63) >> time % 64;
    std::string digits = std::bitset<64>(value).to_string();
    digits.erase(0, digits.find('1'));
    if (digits != expected.back().second) expected.emplace_back(time, digits);
    writer.at(time);
    writer.set(s, Level::of(value));
  }
  writer.end(6401);
  file.commit();
  EXPECT_EQ(read_vcd(written(path)).signals.at("s").changes, expected);
}

TEST(VcdWriter, WritesEveryTimeAsItsDigits) {
  const std::string path = testing::TempDir() + "heddle_times.vcd";
  launch::NewFile file(path);
  VcdWriter writer(file);
  const std::size_t s = writer.add("s", 64);
  writer.declare("1 ps");
  writer.begin(7);
  std::vector<std::pair<std::uint64_t, std::string>> expected{{7, "x"}};
  std::uint64_t time = 7, value = 1;
  std::mt19937_64 random(1);
  for (int length = 1; length < 58; ++length)
    for (int step = 0; step < 20; ++step) {
      time += step < 10 ? std::uint64_t{1} << length : random() >> (64 - length);
      if (time == expected.back().first) continue;
      std::string digits = std::bitset<64>(++value).to_string();
      expected.emplace_back(time, digits.erase(0, digits.find('1')));
      writer.at(time);
      writer.set(s, Level::of(value));
    }
  writer.end(time + 1);
  file.commit();
  EXPECT_EQ(read_vcd(written(path)).signals.at("s").changes, expected);
}

// The writer receives a time without changes, and then flushes its buffer. The file must not contain this
// time.
TEST(VcdWriter, TimesThatNothingFollowsAreNotInTheFile) {
  const std::string path = testing::TempDir() + "heddle_empty_times.vcd";
  launch::NewFile file(path);
  VcdWriter writer(file);
  const std::size_t s = writer.add("s", 64);
  writer.declare("1 ps");
  writer.begin(0);
  std::string expected = "$dumpvars\nbx !\n$end\n";
  std::uint64_t value = 0;
  std::mt19937_64 random(1);
  for (std::uint64_t time = 1; time <= 20000; ++time) {
    writer.at(time);
    if (random() % 3 == 0)
      expected += "#" + std::to_string(time) + "\nb" + (++value % 2 ? "1" : "0") + " !\n";
    writer.set(s, value == 0 ? Level::none() : Level::of(value % 2));
    if (value == 0) expected = "$dumpvars\nbx !\n$end\n#1\nbz !\n";
  }
  writer.end(20001);
  file.commit();
  const std::string text = written(path);
  EXPECT_GT(text.size(), std::size_t{1} << 16);
  EXPECT_EQ(text.substr(text.find("$dumpvars")), expected + "#20001\n");
}

TEST(VcdWriter, EverySignalHasAShortNameOfItsOwn) {
  const std::string path = testing::TempDir() + "heddle_many.vcd";
  constexpr std::size_t kSignals = 20000;
  launch::NewFile file(path);
  VcdWriter writer(file);
  for (std::size_t i = 0; i < kSignals; ++i) writer.add("s" + std::to_string(i), 8);
  writer.declare("1 ps");
  writer.begin(0);
  writer.at(1);
  for (std::size_t i = 0; i < kSignals; ++i) writer.set(i, Level::of(i % 251 + 1));
  writer.end(2);
  file.commit();
  const VcdFile read = read_vcd(written(path));
  ASSERT_EQ(read.signals.size(), kSignals);
  for (const auto& [name, signal] : read.signals) ASSERT_EQ(signal.changes.size(), 2u) << name;
}

TEST(VcdWriter, RefusesToGoBackInTime) {
  const std::string path = testing::TempDir() + "heddle_back.vcd";
  launch::NewFile file(path);
  VcdWriter writer(file);
  writer.declare("1 ps");
  writer.begin(10);
  EXPECT_THROW(writer.at(9), InternalError);
}

TEST(NewFile, SaysWhichFileCannotBeWrittenAndWhy) {
  try {
    const launch::NewFile file("/nonexistent/waves.vcd");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "/nonexistent/waves.vcd: cannot write this file: No such file or directory");
  }
  launch::NewFile full("/dev/full");
  VcdWriter writer(full);
  writer.declare("1 ps");
  writer.begin(0);
  try {
    writer.end(1);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "/dev/full: cannot write this file: No space left on device");
  }
}

TEST(NewFile, WhatIsWrittenInPiecesIsThereWhole) {
  const std::string path = testing::TempDir() + "heddle_pieces";
  std::string expected;
  {
    launch::NewFile file(path);
    for (std::size_t i = 1; i <= 200000; i = 3 * i + 1) {
      const std::string piece(i, static_cast<char>('a' + i % 26));
      file.write(piece);
      expected += piece;
    }
    EXPECT_FALSE(std::ifstream(path));
    file.commit();
  }
  EXPECT_EQ(written(path), expected);
}

}  // namespace
}  // namespace heddle::output
