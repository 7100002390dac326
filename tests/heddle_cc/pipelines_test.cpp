// Tests cuda_pipeline.h: batches of asynchronous copies of all sizes, and barriers that count arrivals.

#include <gtest/gtest.h>

#include <numeric>

#include "tests/heddle_cc/device_program.h"

namespace heddle::device_test {
namespace {

class Pipelines : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!have_clang()) GTEST_SKIP() << "clang is missing";
  }
  static std::vector<int> input() {
    std::vector<int> in(512);
    std::iota(in.begin(), in.end(), 1000);
    return in;
  }
  static std::vector<int> run(const DeviceProgram& program, const char* kernel) {
    std::vector<std::uint8_t> in = bytes_of(input()), out = bytes_of(std::vector<int>(256));
    program.run(kernel, 1, 64, {&in, &out});
    return values_of<int>(out);
  }
};

TEST_F(Pipelines, CopyBatchesFromSm80OnAndBefore) {
  const std::vector<int> in = input();
  for (const char* machine : {"sm_80", "sm_70"}) {
    const DeviceProgram program("pipelines.cu", std::string("-arch=") + machine);
    EXPECT_EQ(program.text().find("cp.async.cg.shared.global") != std::string::npos,
              machine == std::string("sm_80"));
    const std::vector<int> out = run(program, "batches");
    for (std::size_t t = 0; t < 64; ++t) {
      const std::size_t at = (4 * t + 4) % 256;
      // In the second batch, each copy of 8 bytes fills its last 4 bytes with zeros. In the third batch, all
      // bytes are zeros.
      EXPECT_EQ(out[t], in[at] + 3 * in[256 + at] + 7 * in[at]) << machine << ", " << t;
    }
  }
}

TEST_F(Pipelines, BarriersCountThreadsAndCopies) {
  const std::vector<int> in = input();
  const std::vector<int> out = run(DeviceProgram("pipelines.cu", "-arch=sm_80"), "phases");
  for (std::size_t t = 0; t < 64; ++t) {
    EXPECT_EQ(out[t], in[(4 * t + 4) % 256]);
    EXPECT_EQ(out[64 + t], 1);
  }
  EXPECT_EQ(out[128], (1 << 20) - 1);
}

}  // namespace
}  // namespace heddle::device_test
