#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "models/core/error.h"
#include "models/isa/address_map.h"
#include "models/isa/texture.h"
#include "testbench/launch/launch_run.h"

namespace heddle::launch::textures_test {
namespace {

using ::testing::HasSubstr;

/// Stands in for a program: one kernel with a parameter of 8 bytes, and a texture reference "photo".
class Programs : public ProgramProvider {
 public:
  Programs() {
    program_.kernel = "k";
    program_.parameters.push_back({"p0", 0, 8, 8, isa::DataType::u64});
    program_.parameter_bytes = 8;
    variables_.push_back({"photo", isa::Space::constant, isa::kConstWindow, isa::kTextureHeaderBytes, {}});
  }
  std::shared_ptr<const isa::Program> program(const std::string&) override {
    return std::make_shared<const isa::Program>(program_);
  }
  const std::vector<isa::ModuleVariable>& variables() const override { return variables_; }
  isa::Program program_;
  std::vector<isa::ModuleVariable> variables_;
};

struct Recorder : LaunchExecutor {
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    std::uint64_t handle = 0;
    std::memcpy(&handle, launch.parameters.data(), 8);
    handles.push_back(handle);
    std::memcpy(&bound, memory.at(isa::kConstWindow, sizeof bound, "test"), sizeof bound);
    if (memory.find(handle, sizeof object))
      std::memcpy(&object, memory.find(handle, sizeof object), sizeof object);
  }
  std::vector<std::uint64_t> handles;
  isa::TextureHeader object, bound;
};

constexpr const char* kFile = R"({"ptx": "k.ptx", "values": {"w": 4, "h": 3},
  "buffers": {"a": {"type": "u8", "count": 4096}, "b": {"type": "u8", "count": 4096}},
  "textures": {"t": TEXTURE}, "symbols": {"photo": {"texture": "t"}},
  "steps": [{"swap": ["a", "b"]}, {"symbol": "photo", "texture": "t"},
            {"kernel": "k", "grid": 1, "block": 32, "args": [{"texture": "t"}]}]})";

Recorder run(const std::string& texture, std::uint64_t* a = nullptr, std::uint64_t* b = nullptr) {
  std::string text = kFile;
  text.replace(text.find("TEXTURE"), 7, texture);
  const LaunchFile file = read_launch_text(text, "x.json");
  Programs programs;
  MemoryImage memory;
  LaunchRun run(file, programs, memory);
  run.prepare();
  if (a) *a = run.buffer("a").address;
  if (b) *b = run.buffer("b").address;
  Recorder recorder;
  run.run(recorder);
  return recorder;
}

std::string failure(const std::string& texture) {
  try {
    run(texture);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LaunchTextures, HeadersSayWhatTheFileSays) {
  std::uint64_t a = 0, b = 0;
  const Recorder r =
      run(R"({"buffer": "a", "offset_bytes": 64, "shape": "3d", "extents": ["w", "h", 2], "pitch_bytes": 32,
    "slice_rows": 5, "texel": "u8x4", "read": "normalized", "coordinates": "normalized", "filter": "linear",
    "address": ["wrap", "mirror", "border"], "border": [0, 0.5, 1, 1]})",
          &a, &b);
  ASSERT_EQ(r.handles, std::vector<std::uint64_t>{isa::kTextureHeaders});
  const isa::TextureHeader& h = r.object;
  EXPECT_EQ(h.kind, isa::HeaderKind::texture);
  EXPECT_EQ(h.base, a + 64);
  EXPECT_EQ((std::array{h.width, h.height, h.depth, h.slices}), (std::array<std::uint32_t, 4>{4, 3, 2, 2}));
  EXPECT_EQ((std::array{h.row_bytes, h.width_bytes, h.slice_rows}),
            (std::array<std::uint32_t, 3>{32, 16, 5}));
  EXPECT_EQ(h.type, isa::ChannelType::unorm8);
  EXPECT_EQ(h.order, isa::ChannelOrder::rgba);
  EXPECT_EQ(h.filter, isa::FilterMode::linear);
  EXPECT_EQ(h.normalized, 1u);
  EXPECT_EQ(h.address[1], isa::AddressMode::mirror);
  EXPECT_EQ(std::bit_cast<float>(h.border[1]), 0.5f);
  // After buffer names are swapped, a texture object keeps its memory. A texture reference must be bound
  // again.
  EXPECT_EQ(r.bound.base, b + 64);
}

TEST(LaunchTextures, SurfacesSamplersAndCubes) {
  const isa::TextureHeader surface =
      run(R"({"kind": "surface", "buffer": "a", "shape": "a1d", "extents": [10], "layers": 3, "texel": "u16"})")
          .object;
  EXPECT_EQ(surface.kind, isa::HeaderKind::surface);
  EXPECT_EQ(surface.slices, 3u);
  EXPECT_EQ(surface.slice_rows, 1u);
  const isa::TextureHeader sampler =
      run(R"({"kind": "sampler", "coordinates": "texels", "address": "border"})").object;
  EXPECT_EQ(sampler.kind, isa::HeaderKind::sampler);
  EXPECT_EQ(sampler.force_unnormalized, 1u);
  const isa::TextureHeader cube =
      run(R"({"buffer": "a", "shape": "acube", "extents": [5], "layers": 2, "texel": "f32"})").object;
  EXPECT_EQ(cube.height, 5u);
  EXPECT_EQ(cube.slices, 12u);
  EXPECT_EQ(isa::extent_bytes(cube), 12u * 25 * 4);
}

TEST(LaunchTextures, WhatDoesNotFitIsRefused) {
  const auto image = [](const std::string& rest) {
    return R"({"buffer": "a", "shape": "2d", )" + rest + "}";
  };
  const std::pair<std::string, const char*> rows[] = {
      {image(R"("extents": [64, 65], "texel": "u8")"),
       "4160 bytes of \"t\" from byte 0 of the buffer \"a\", which has 4096"},
      {image(R"("extents": [4, 4], "texel": "u8x3")"), "\"u8x3\" is no texel"},
      {image(R"("extents": [4, 4], "texel": "f64")"), "unknown type of a texel \"f64\""},
      {image(R"("extents": [4], "texel": "u8")"), "1 extents of a texture of shape 2d"},
      {image(R"("extents": [4, 4], "texel": "u8", "filter": "linear")"), "a linear filter over integers"},
      {image(R"("extents": [4, 4], "texel": "s32", "read": "normalized")"),
       "texels of this type are not normalized"},
      {image(R"("extents": [4, 4], "texel": "f32", "pitch_bytes": 12)"),
       "a pitch of 12 bytes for rows of 16 bytes"},
      {image(R"("extents": [4, 4], "texel": "f32", "offset_bytes": 2)"),
       "texels of 4 bytes at byte 2 of the buffer"},
      {image(R"("extents": [4, 4], "texel": "f32", "slice_rows": 3)"), "slices of 4 rows, 3 apart"},
      {image(R"("extents": [4, 4], "texel": "f32", "layers": 3)"), "layers of a shape without"},
      {image(R"("extents": [4, 4], "texel": "f32", "address": "repeat")"), "unknown address mode \"repeat\""},
      {image(R"("extents": [4, 4], "texel": "f32", "border": [1])"), "a border of 1 components"},
      {image(R"("extents": [4, 4], "texel": "f32", "mip": 1)"), "unknown key \"mip\""},
      {R"({"kind": "sampler", "texel": "u8"})", "\"texel\" of a sampler"},
      {R"({"kind": "surface", "buffer": "a", "shape": "1d", "extents": [4], "texel": "u8", "filter": "point"})",
       "\"filter\" of a surface"},
      {R"({"buffer": "c", "shape": "1d", "extents": [4], "texel": "u8"})", "unknown buffer \"c\""}};
  for (const auto& [texture, why] : rows) EXPECT_THAT(failure(texture), HasSubstr(why)) << texture;
}

}  // namespace
}  // namespace heddle::launch::textures_test
