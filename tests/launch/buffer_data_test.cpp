// Heddle generates a buffer's data from the seed of the buffer. These data must never change, so the expected
// values in this test are literal numbers. Also tests reading and writing of data files.

#include "testbench/launch/buffer_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/core/error.h"
#include "testbench/launch/npy.h"
#include "testbench/launch/random_values.h"

namespace heddle::launch::buffer_data_test {
namespace {

using ::testing::HasSubstr;

LaunchFile file_with(const std::string& buffer, const std::string& path = "x.json") {
  return read_launch_text("{\"ptx\": \"k.ptx\", \"buffers\": {\"a\": " + buffer +
                              "}, \"steps\": [{\"copy\": \"a\", \"to\": \"a\"}]}",
                          path);
}
std::vector<std::uint8_t> data_of(const std::string& buffer, const std::string& path = "x.json") {
  const LaunchFile file = file_with(buffer, path);
  const BufferSpec& spec = file.buffers[0];
  return make_data(spec.source, spec.type, spec.count, file.values);
}
template <class T>
std::vector<T> elements(const std::string& buffer, const std::string& path = "x.json") {
  const auto bytes = data_of(buffer, path);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
std::string failure(const std::string& buffer, const std::string& path = "x.json") {
  try {
    data_of(buffer, path);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// Compares the first random numbers with the published outputs of SplitMix64 for seed 1234567.
TEST(BufferData, TheGeneratorIsSplitMix64) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(BufferData, UniformIntegersIncludeBothEnds) {
  const auto values = elements<std::int8_t>(
      R"({"type": "s8", "count": 2000, "init": {"kind": "uniform", "low": -2, "high": 1, "seed": 3}})");
  int seen[4] = {};
  for (const auto v : values) {
    ASSERT_GE(v, -2);
    ASSERT_LE(v, 1);
    ++seen[v + 2];
  }
  for (const int count : seen) EXPECT_NEAR(count, 500, 100);
  SplitMix64 random(3);
  EXPECT_EQ(values[0], static_cast<std::int64_t>(random.next() % 4) - 2);
  EXPECT_EQ(
      elements<std::uint64_t>(
          R"({"type": "u64", "count": 1, "init": {"kind": "uniform", "low": 0, "high": 18446744073709551615, "seed": 1234567}})")
          [0],
      6457827717110365317u);
}

TEST(BufferData, UniformAndNormalNumbersHaveTheirMoments) {
  const auto u = elements<float>(
      R"({"type": "f32", "count": 20000, "init": {"kind": "uniform", "low": -1, "high": 3, "seed": 5}})");
  const auto z = elements<double>(
      R"({"type": "f64", "count": 20000, "init": {"kind": "normal", "mean": 10, "deviation": 2, "seed": 6}})");
  double sum = 0, sum_z = 0, square = 0;
  for (const float x : u) {
    ASSERT_TRUE(x >= -1 && x <= 3);
    sum += x;
  }
  for (const double x : z) {
    sum_z += x;
    square += (x - 10) * (x - 10);
  }
  EXPECT_NEAR(sum / 20000, 1, 0.05);
  EXPECT_NEAR(sum_z / 20000, 10, 0.05);
  EXPECT_NEAR(std::sqrt(square / 20000), 2, 0.05);
}

TEST(BufferData, RangesAndLists) {
  EXPECT_EQ(elements<std::int16_t>(
                R"({"type": "s16", "count": 4, "init": {"kind": "range", "start": 5, "step": -3}})"),
            (std::vector<std::int16_t>{5, 2, -1, -4}));
  EXPECT_EQ(elements<float>(
                R"({"type": "f32", "count": 3, "init": {"kind": "range", "start": 0.5, "step": 0.25}})"),
            (std::vector<float>{0.5f, 0.75f, 1.0f}));
  EXPECT_EQ(elements<std::uint8_t>(R"({"type": "u8", "init": {"kind": "values", "values": [1, "2+3"]}})"),
            (std::vector<std::uint8_t>{1, 5}));
  EXPECT_EQ(elements<std::uint32_t>(R"({"type": "u32", "count": 2})"), (std::vector<std::uint32_t>{0, 0}));
}

TEST(BufferData, RefusesWhatDoesNotFit) {
  EXPECT_THAT(failure(R"({"type": "u8", "count": 300, "init": {"kind": "range", "start": 0, "step": 1}})"),
              HasSubstr("the range does not fit u8"));
  EXPECT_THAT(failure(R"({"type": "u8", "init": {"kind": "values", "values": [256]}})"),
              HasSubstr("256 does not fit u8"));
  EXPECT_THAT(failure(R"({"type": "u8", "count": 3, "init": {"kind": "values", "values": [1]}})"),
              HasSubstr("\"count\" is 3, but there are 1 elements"));
  EXPECT_THAT(
      failure(R"({"type": "u8", "count": 1, "init": {"kind": "uniform", "low": 5, "high": 2, "seed": 1}})"),
      HasSubstr("\"low\" is above \"high\""));
  EXPECT_THAT(
      failure(R"({"type": "u8", "count": 1, "init": {"kind": "uniform", "low": 0, "high": 256, "seed": 1}})"),
      HasSubstr("256 does not fit u8"));
  EXPECT_THAT(
      failure(
          R"({"type": "s32", "count": 1, "init": {"kind": "normal", "mean": 0, "deviation": 1, "seed": 1}})"),
      HasSubstr("a normal distribution of integers"));
  EXPECT_THAT(failure(R"({"type": "f32", "count": 0})"), HasSubstr("the value 0 is out of range"));
  EXPECT_THAT(failure(R"({"type": "f64", "count": "1<<60"})"), HasSubstr("is out of range"));
  EXPECT_THAT(failure(R"({"type": "f32", "file": "nowhere.npy"})"), HasSubstr("nowhere.npy: cannot read"));
}

class Files : public ::testing::Test {
 protected:
  Files() : folder_(std::filesystem::temp_directory_path() / ("heddle_npy_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  std::filesystem::path folder_;
};

TEST_F(Files, NpyComesBackAsWritten) {
  const std::vector<std::uint8_t> bytes = {0, 0, 128, 63, 0, 0, 0, 64};
  std::string written;
  write_npy([&written](std::string_view piece) { written += piece; }, ElementType::f32, bytes);
  write("a.npy", written);
  const NpyArray array = read_npy(path("a.npy"));
  EXPECT_EQ(array.type, ElementType::f32);
  EXPECT_EQ(array.shape, std::vector<std::uint64_t>{2});
  EXPECT_EQ(array.data, bytes);
  EXPECT_EQ((std::filesystem::file_size(path("a.npy")) - 8) % 64, 0u);
  EXPECT_EQ(elements<float>(R"({"type": "f32", "file": "a.npy"})", path("x.json")),
            (std::vector<float>{1, 2}));
  EXPECT_THAT(failure(R"({"type": "u32", "file": "a.npy"})", path("x.json")),
              HasSubstr("holds elements of type f32 (allowed: u32)"));
  EXPECT_THAT(failure(R"({"type": "f32", "count": 3, "file": "a.npy"})", path("x.json")),
              HasSubstr("\"count\" is 3, but there are 2 elements"));
}

std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string text("\x93NUMPY", 6);
  text += version;
  text += '\0';
  text += static_cast<char>(header.size());
  text += '\0';
  if (version > 1) text += std::string(2, '\0');
  return text + header + data;
}

TEST_F(Files, NpyVersion2AndSeveralDimensions) {
  write("b.npy", npy("{'descr': '<u2', 'fortran_order': False, 'shape': (2, 2), }", "abcdefgh", 2));
  const NpyArray array = read_npy(path("b.npy"));
  EXPECT_EQ(array.type, ElementType::u16);
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(array.data.size(), 8u);
}

TEST_F(Files, BadNpyFilesAreRefused) {
  const std::pair<std::string, const char*> rows[] = {
      {"not an array at all", "not a .npy file"},
      {npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd"), "element type '>f4'"},
      {npy("{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }", "abcd"), "element type '<f2'"},
      {npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "abcd"), "Fortran order"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd"),
       "4 bytes of data (allowed: 8 by"},
      {npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", ""), "too large"},
      {npy("{'descr': '<f4', 'fortran_order': False}", ""), "no 'shape'"},
      {npy("{}", "", 9), ".npy version 9"},
      {npy(std::string(100, ' '), "").substr(0, 40), "cut off"}};
  for (const auto& [bytes, message] : rows) {
    write("c.npy", bytes);
    try {
      read_npy(path("c.npy"));
      ADD_FAILURE() << "accepted: " << message;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST_F(Files, RawFilesAreElements) {
  write("d.bin", std::string("\x01\x00\x02\x00\x03", 5));
  EXPECT_THAT(failure(R"({"type": "u16", "file": "d.bin"})", path("x.json")),
              HasSubstr("no whole number of u16"));
  EXPECT_EQ(elements<std::uint8_t>(R"({"type": "u8", "file": "d.bin"})", path("x.json")),
            (std::vector<std::uint8_t>{1, 0, 2, 0, 3}));
}

}  // namespace
}  // namespace heddle::launch::buffer_data_test
