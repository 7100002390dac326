// Tests the function that reads a file: paths that are not files, files without an end, and contents that
// must not be printed in errors.

#include "models/core/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "models/core/config_node.h"
#include "models/core/error.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(ReadFile, AFolderIsRefusedByName) {
  EXPECT_EQ(failure([] { read_text_file("tests", "this file"); }), "tests: is a folder (allowed: a file)");
}

TEST(ReadFile, WhatIsLargerThanTheLimitIsRefused) {
  const std::string path = ::testing::TempDir() + "large.json";
  std::ofstream(path) << "12345";
  EXPECT_EQ(read_whole_file(path, "this file", 5), "12345");
  EXPECT_THAT(failure([&] { read_whole_file(path, "this file", 4); }),
              HasSubstr("large.json: this file is larger than 4 bytes"));
}

TEST(ReadFile, PipesAndDevicesAreRefused) {
  const std::string pipe = ::testing::TempDir() + "pipe.json";
  std::filesystem::remove(pipe);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")})
    EXPECT_EQ(failure([&] { read_text_file(path, "this file"); }),
              path + ": is a pipe or a device (allowed: a file)");
}

TEST(ReadFile, AByteOrderMarkIsSkipped) {
  const std::string path = ::testing::TempDir() + "bom.json";
  std::ofstream(path) << "\xef\xbb\xbf{\"a\": 1}";
  EXPECT_EQ(read_text_file(path, "this file"), "{\"a\": 1}");
  EXPECT_EQ(parse_config_file(path).find("a")->integer, 1);
  EXPECT_EQ(parse_config_text("\xef\xbb\xbf[2]", "t").items[0].integer, 2);
}

TEST(ReadFile, TextBehindTheValueIsRefused) {
  EXPECT_THAT(failure([] { parse_config_text("{\"a\": 1}\n x", "t"); }), HasSubstr("t:2:2: not valid JSON"));
  EXPECT_THAT(failure([] { parse_config_text("{} {}", "t"); }), HasSubstr("text after the end"));
  EXPECT_EQ(parse_config_text("{} \r\n\t", "t").members.size(), 0u);
}

TEST(ReadFile, ACommentMayStandRightBeforeAValue) {
  EXPECT_EQ(parse_config_text("{\"a\": //one\n15}", "t").find("a")->integer, 15);
  EXPECT_EQ(parse_config_text("/*\n*/-7//", "t").integer, -7);
  EXPECT_EQ(parse_config_text("[/*1,*/\"/* \\\"//\",3]", "t").items[0].text, "/* \"//");
  EXPECT_THAT(failure([] { parse_config_text("//\n/* \"\n*/ x", "t"); }), HasSubstr("t:3:4: not valid JSON"));
  EXPECT_THAT(failure([] { parse_config_text("// nothing", "t"); }), HasSubstr("not valid JSON"));
}

TEST(ReadFile, AnItemBeyondEveryListIsRefused) {
  ConfigNode root = parse_config_text("{\"a\": [1, 2]}", "t");
  EXPECT_THAT(failure([&] { set_config(root, "a[18446744073709551616]=3"); }),
              HasSubstr("has no item 18446744073709551616"));
}

TEST(ReadFile, TheLargestIntegerIsShownAsItIs) {
  EXPECT_THAT(to_json(parse_config_text("{\"a\": 18446744073709551615}", "t")),
              HasSubstr("18446744073709551615"));
}

TEST(Printable, ControlCharactersAndBrokenUtf8AreEscaped) {
  EXPECT_EQ(printable("a\x1b[31mb\x01"), "a\\x1b[31mb\\x01");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("W\xc3\xa4rme 3"), "W\xc3\xa4rme 3");
}

TEST(Printable, LongWordsAndTextsAreShortened) {
  const std::string text = printable("x " + std::string(100000, 'a') + " y");
  EXPECT_LT(text.size(), 250u);
  EXPECT_THAT(text, HasSubstr("more)..."));
  std::string words;
  for (int i = 0; i < 10000; ++i) words += "word ";
  EXPECT_LT(printable(words).size(), 6100u);
}

}  // namespace
}  // namespace heddle
