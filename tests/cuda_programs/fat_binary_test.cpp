// Tests the reader of CUDA fat binaries with every kind of compression, the selection of launches, and device
// memory.

#include "testbench/cudart/fat_binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>
#include <vector>

#include "models/core/error.h"
#include "testbench/cudart/linked_text.h"
#include "testbench/program/launch_selection.h"

namespace heddle {
namespace {

using testing::HasSubstr;

struct Part {
  int kind = 1;
  int architecture = 75;
  std::string data;
  std::uint64_t unpacked = 0, flags = 0x11;
};

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Builds a fat binary as nvcc does: a header of 16 bytes, then entries with headers of 64 bytes.
std::string fat_binary(const std::vector<Part>& parts) {
  std::string body;
  for (const Part& part : parts) {
    const std::uint64_t padded = (part.data.size() + 7) / 8 * 8;
    put(body, static_cast<std::uint16_t>(part.kind));
    put(body, std::uint16_t{0x101});
    put(body, std::uint32_t{64});
    put(body, padded);
    put(body, static_cast<std::uint32_t>(part.unpacked ? part.data.size() : 0));
    put(body, std::uint32_t{0});
    put(body, std::uint16_t{0});
    put(body, std::uint16_t{8});
    put(body, static_cast<std::uint32_t>(part.architecture));
    put(body, std::uint64_t{0});
    put(body, part.flags);
    put(body, std::uint64_t{0});
    put(body, part.unpacked);
    body += part.data;
    body.append(padded - part.data.size(), '\0');
  }
  std::string all;
  put(all, std::uint32_t{0xba55ed50});
  put(all, std::uint16_t{1});
  put(all, std::uint16_t{16});
  put(all, static_cast<std::uint64_t>(body.size()));
  return all + body;
}

std::string text() {
  std::string ptx = ".version 7.0\n";
  for (int i = 0; i < 100; ++i) ptx += "// a line that repeats\n";
  return ptx;
}

TEST(FatBinary, TextsArePlainLz4OrZstd) {
  const std::string plain = text();
  std::string lz4(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))), '\0');
  lz4.resize(static_cast<std::size_t>(LZ4_compress_default(
      plain.data(), lz4.data(), static_cast<int>(plain.size()), static_cast<int>(lz4.size()))));
  std::string zstd(ZSTD_compressBound(plain.size()), '\0');
  zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), plain.data(), plain.size(), 3));
  const std::string image = fat_binary({{1, 52, plain, 0, 0x11},
                                        {2, 80, "\177ELF", 0, 0x11},
                                        {1, 80, lz4, plain.size(), 0x2011},
                                        {1, 75, zstd, plain.size(), 0x8011}});
  const cudart::FatBinary binary = cudart::read_fat_binary(image.data(), "here");
  ASSERT_EQ(binary.ptx.size(), 3u);
  for (const cudart::PtxText& one : binary.ptx) EXPECT_EQ(one.text, plain) << one.architecture;
  EXPECT_EQ(binary.machine_code, std::vector<int>{80});
  EXPECT_EQ(cudart::best_text(binary)->architecture, 80);
}

TEST(FatBinary, WhatIsCutOffIsRefused) {
  const auto refused = [](std::string image, const std::string& said) {
    image.append(256, '\0');
    try {
      cudart::read_fat_binary(image.data(), "here");
      ADD_FAILURE() << said;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(said));
    }
  };
  refused("not one at all, but long enough", "not a fat binary");
  refused(fat_binary({{1, 75, "rubbish", 1000, 0x8011}}), "neither as LZ4 nor as zstd");
  refused(fat_binary({{1, 75, std::string("\x28\xb5\x2f\xfd rubbish", 12), 1000, 0x8011}}), "zstd");
  std::string cut = fat_binary({{1, 75, text(), 0, 0x11}});
  const std::uint64_t less = 100;
  std::memcpy(cut.data() + 8, &less, sizeof less);
  refused(cut, "cut off");
}

TEST(LinkedText, OwnNamesGetAFileAndWeakOnesStayOnce) {
  const std::string head = ".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"one.cu\"\n";
  const std::string first = head + R"(
.extern .func (.param .b32 result) moved(.param .b32 x);  // .weak .func of a comment
.global .align 1 .b8 $str[3] = {104, 105, 0};
.weak .func both()
{
  .loc 1 2 3
  ret;
}
.visible .entry k(.param .u64 into) { mov.u64 %rd1, $str; call both, (); ret; }
)";
  const std::string second = head + R"(
.global .align 1 .b8 $str[2] = {104, 0};
.weak .func both()
{
  ret;
}
.visible .func (.param .b32 result) moved(.param .b32 x)
{
  .loc 1 7 1
  mov.u64 %rd1, $str;
  ret;
}
)";
  EXPECT_EQ(cudart::linked_text({first, second}),
            head + R"(.extern .func (.param .b32 result) moved(.param .b32 x);
.global .align 1 .b8 $str[3] = {104, 105, 0};
.weak .func both()
{
  .loc 1 2 3
  ret;
}
.visible .entry k(.param .u64 into) { mov.u64 %rd1, $str; call both, (); ret; }
.global .align 1 .b8 $str__file1[2] = {104, 0};
.visible .func (.param .b32 result) moved(.param .b32 x)
{
  mov.u64 %rd1, $str__file1;
  ret;
}
)");
}

TEST(LaunchSelection, PositionsPatternsAndCounts) {
  using Choice = program::LaunchSelection::Choice;
  program::LaunchSelection selection("0,3-4,b*:2", "--launches");
  const auto taken = [&](std::uint64_t at, const char* name) {
    return selection.choose(at, name, name) == Choice::yes;
  };
  EXPECT_TRUE(taken(0, "a"));
  EXPECT_FALSE(taken(1, "a"));
  EXPECT_TRUE(taken(2, "bfs"));
  EXPECT_TRUE(taken(3, "a"));
  EXPECT_TRUE(taken(4, "bfs"));
  EXPECT_FALSE(taken(5, "bfs"));
  EXPECT_TRUE(taken(6, "bar"));
  program::LaunchSelection templates("ns::scale<float>", "--launches");
  EXPECT_EQ(templates.choose(0, "_ZN2ns5scaleIfEEvPf", "ns::scale<float>"), Choice::yes);
  program::LaunchSelection all("", "--launches");
  EXPECT_EQ(all.choose(7, "x", "x"), Choice::yes);
  program::LaunchSelection representatives("representatives,b:1", "--launches");
  EXPECT_TRUE(representatives.selects_representatives());
  EXPECT_EQ(representatives.choose(0, "a", "a"), Choice::first_of_kind);
  EXPECT_EQ(representatives.choose(1, "b", "b"), Choice::yes);
  EXPECT_EQ(representatives.choose(2, "b", "b"), Choice::first_of_kind);
  for (const char* const wrong : {"x:", ":3", "1,", "4-2", "1x", "x:0", ",1"})
    EXPECT_THROW(program::LaunchSelection(wrong, "--launches"), Error) << wrong;
}

}  // namespace
}  // namespace heddle
