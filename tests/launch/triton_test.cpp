// Tests PTX from Triton's compiler. A softmax and an RMS norm must give the values that the host computes. A
// draft must take grid and block from the metadata file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/launch/draft.h"
#include "testbench/launch/launch_format.h"
#include "testbench/launch/reference.h"
#include "testbench/launch/triton_metadata.h"

namespace heddle::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSoftmax = "tests/launch/programs/triton_softmax.ptx";
constexpr const char* kRmsNorm = "tests/launch/programs/triton_rms_norm.ptx";
constexpr std::size_t kRows = 5;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<float> matrix(std::size_t columns) {
  std::vector<float> values(kRows * columns);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(static_cast<int>(i * 7919 % 1601) - 800) / 200.0f;
  return values;
}

TEST(Triton, SoftmaxGivesTheHostsValues) {
  for (const std::size_t columns : {1u, 100u, 128u, 200u, 256u}) {
    Reference reference(text_of(kSoftmax), kSoftmax);
    const std::vector<float> in = matrix(columns);
    const auto to = reference.allocate(in.size() * sizeof(float));
    reference.launch("softmax_kernel", {.grid = {kRows}, .block = {128}, .shared_bytes = 16},
                     {to, reference.upload(in), columns, columns, DeviceAddress{}});
    const std::vector<float> got = reference.download<float>(to, in.size());
    for (std::size_t row = 0; row < kRows; ++row) {
      const float* const x = &in[row * columns];
      const double most = *std::max_element(x, x + columns);
      double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += std::exp(x[c] - most);
      for (std::size_t c = 0; c < columns; ++c) {
        const double expected = std::exp(x[c] - most) / sum;
        ASSERT_NEAR(got[row * columns + c], expected, 2e-6 * expected + 1e-9)
            << columns << ": " << row << ", " << c;
      }
    }
  }
}

TEST(Triton, RmsNormGivesTheHostsValues) {
  for (const std::size_t columns : {2u, 100u, 256u}) {
    Reference reference(text_of(kRmsNorm), kRmsNorm);
    const std::vector<float> in = matrix(columns);
    std::vector<float> weights(columns);
    for (std::size_t c = 0; c < columns; ++c) weights[c] = 0.5f + static_cast<float>(c) / 64.0f;
    const auto to = reference.allocate(in.size() * sizeof(float));
    reference.launch("rms_norm_kernel", {.grid = {kRows}, .block = {128}, .shared_bytes = 16},
                     {reference.upload(in), reference.upload(weights), to, columns, 1e-5f});
    const std::vector<float> got = reference.download<float>(to, in.size());
    for (std::size_t row = 0; row < kRows; ++row) {
      double squares = 0;
      for (std::size_t c = 0; c < columns; ++c)
        squares += double{in[row * columns + c]} * in[row * columns + c];
      const double scale = 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-5);
      for (std::size_t c = 0; c < columns; ++c) {
        const double expected = in[row * columns + c] * scale * weights[c];
        ASSERT_NEAR(got[row * columns + c], expected, 2e-6 * std::abs(expected) + 1e-9)
            << columns << ": " << row;
      }
    }
  }
}

std::string draft_of(const std::string& path, const std::string& kernel) {
  const auto module = ptx::parse_module_file(path);
  const auto metadata = triton_metadata(path);
  return draft_launch(*module, kernel, path, metadata ? &*metadata : nullptr);
}

TEST(Triton, DraftsTakeTheShapeFromTheMetadata) {
  const std::string rms = draft_of(kRmsNorm, "rms_norm_kernel");
  EXPECT_THAT(rms, HasSubstr(R"("block": [128],  // "num_warps" of Triton's metadata)"));
  EXPECT_THAT(rms, HasSubstr(R"("shared_bytes": 16,  // "shared" of Triton's metadata)"));
  EXPECT_THAT(rms, HasSubstr(R"({"f32": "p4"})"));
  const std::string softmax = draft_of(kSoftmax, "softmax_kernel");
  EXPECT_THAT(softmax, HasSubstr(R"("block": [128, 1, 1],  // the kernel requires it)"));
  EXPECT_THAT(softmax, HasSubstr(R"("shared_bytes": 16,)"));
  EXPECT_THAT(softmax, HasSubstr(R"({"u64": 0})"));
  const auto metadata = triton_metadata(kSoftmax);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->kernel, "softmax_kernel");
  EXPECT_EQ(metadata->threads, 128u);
}

// Next to the PTX file is a JSON file of the same name, but of another program. Heddle must not read the JSON
// file as Triton's metadata.
TEST(Triton, OtherFilesBesideThePtxAreLeftAlone) {
  const std::string folder = ::testing::TempDir() + "/triton_metadata";
  std::filesystem::create_directories(folder);
  const auto with = [&](const std::string& text) {
    std::ofstream(folder + "/kernel.json") << text;
    return triton_metadata(folder + "/kernel.ptx");
  };
  EXPECT_FALSE(triton_metadata(folder + "/absent.ptx"));
  for (const char* const text :
       {"{", "[]", "{}", R"({"num_warps": 4})", R"({"num_warps": "4", "shared": 0})",
        R"({"num_warps": 0, "shared": 0})", R"({"num_warps": 4, "shared": -1})",
        R"({"num_warps": 64, "shared": 0})", R"({"ptx": "kernel.ptx", "steps": []})"})
    EXPECT_FALSE(with(text)) << text;
  const auto metadata = with(R"({"num_warps": 8, "shared": 4096, "num_ctas": 2})");
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->threads, 256u);
  EXPECT_EQ(metadata->shared_bytes, 4096u);
  EXPECT_EQ(metadata->ctas, 2u);
  EXPECT_EQ(metadata->kernel, "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle::launch
