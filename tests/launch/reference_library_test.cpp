// heddle::Reference runs kernels of a PTX text with arguments of every kind from C++, and reports errors that
// name the cause.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/core/error.h"
#include "testbench/launch/reference.h"

namespace heddle {
namespace {

constexpr const char* kModule = R"(.version 6.0
.target sm_50
.address_size 64
.global .align 4 .u32 step = 3;
.visible .entry count(.param .u64 out, .param .u32 first, .param .s16 less, .param .align 4 .b8 pair[8])
{ .reg .u32 %a<8>; .reg .u64 %p<4>;
  ld.param.u64 %p0, [out]; mov.u32 %a0, %tid.x; mad.wide.u32 %p1, %a0, 4, %p0;
  ld.param.u32 %a1, [first]; ld.param.s16 %a2, [less]; ld.param.u32 %a3, [pair+4]; ld.global.u32 %a4, [step];
  mad.lo.u32 %a5, %a0, %a4, %a1; add.u32 %a5, %a5, %a2; add.u32 %a5, %a5, %a3; st.global.u32 [%p1], %a5; ret; }
.visible .entry turn(.param .u64 .ptr .shared .align 4 one, .param .u64 .ptr .shared .align 4 two, .param .u64 out)
{ .reg .u32 %a<8>; .reg .u64 %p<8>;
  ld.param.u64 %p0, [one]; ld.param.u64 %p1, [two]; ld.param.u64 %p2, [out];
  mov.u32 %a0, %tid.x; mul.wide.u32 %p3, %a0, 4; add.u64 %p4, %p0, %p3; st.shared.u32 [%p4], %a0;
  add.u64 %p5, %p1, %p3; st.shared.u32 [%p5], 7; bar.sync 0;
  xor.b32 %a1, %a0, 31; mul.wide.u32 %p6, %a1, 4; add.u64 %p6, %p6, %p0; ld.shared.u32 %a2, [%p6];
  ld.shared.u32 %a3, [%p5]; add.u32 %a2, %a2, %a3; add.u64 %p7, %p2, %p3; st.global.u32 [%p7], %a2; ret; }
)";

struct Pair {
  std::uint32_t first, second;
};

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReferenceLibrary, RunsAKernelWithArguments) {
  Reference reference(kModule);
  const DeviceAddress out = reference.allocate(4 * sizeof(std::uint32_t));
  const std::uint32_t step = 5;
  reference.write(reference.variable("step"), &step, sizeof step);
  const auto result = reference.launch("count", {.grid = {1}, .block = {4}}, {out, 100, -2, Pair{1, 1000}});
  EXPECT_EQ(reference.download<std::uint32_t>(out, 4), (std::vector<std::uint32_t>{1098, 1103, 1108, 1113}));
  EXPECT_EQ(result.warps, 1u);
  EXPECT_GT(result.warp_instructions, 10u);
}

TEST(ReferenceLibrary, HandsOutSharedMemory) {
  Reference reference(kModule);
  const auto out = reference.upload(std::vector<std::uint32_t>(32));
  reference.launch("turn", {.grid = {1}, .block = {32}}, {SharedBytes{128}, SharedBytes{128}, out});
  const auto values = reference.download<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], 31 - i + 7);
  EXPECT_THAT(
      error_of([&] {
        reference.launch("turn", {.grid = {1}, .block = {32}}, {SharedBytes{64}, SharedBytes{64}, out});
      }),
      testing::HasSubstr("out of bounds"));
}

TEST(ReferenceLibrary, NamesWhatIsWrong) {
  EXPECT_THAT(error_of([] { Reference("no PTX", "mine.ptx"); }), testing::StartsWith("mine.ptx:1:"));
  Reference reference(kModule);
  const DeviceAddress out = reference.allocate(16);
  const Reference::Shape four{.grid = {1}, .block = {4}};
  const auto error = [&](std::initializer_list<Reference::Argument> arguments) {
    return error_of([&] { reference.launch("count", four, arguments); });
  };
  EXPECT_THAT(error({out}), testing::HasSubstr("1 arguments for kernel count"));
  EXPECT_THAT(error({out, 1.0, 0, Pair{}}),
              testing::HasSubstr("parameter first of kernel count: an argument of 8 bytes"));
  EXPECT_THAT(error({out, 1, 40000, Pair{}}), testing::HasSubstr("no error"));
  EXPECT_THAT(error({out, 1, 70000, Pair{}}), testing::HasSubstr("does not fit its 2 bytes"));
  EXPECT_THAT(error({out, -1, -40000, Pair{}}), testing::HasSubstr("does not fit its 2 bytes"));
  EXPECT_THAT(error({out + 8, 1, 0, Pair{}}), testing::HasSubstr("out of bounds"));
  EXPECT_THAT(error_of([&] { reference.launch("none", four); }), testing::HasSubstr("count"));
  EXPECT_THAT(error_of([&] { reference.variable("none"); }), testing::HasSubstr("step"));
  EXPECT_THAT(error_of([&] { reference.read(out, nullptr, 17); }), testing::HasSubstr("17 bytes"));
}

}  // namespace
}  // namespace heddle
