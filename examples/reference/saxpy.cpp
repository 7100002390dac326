// SPDX-License-Identifier: Apache-2.0
// A C++ program that runs a kernel of a PTX text on the untimed reference (testbench/launch/reference.h).
#include <cstdio>

#include "testbench/launch/reference.h"

static const char* const ptx = R"(.version 6.0 .target sm_50 .address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a)
{ .reg .u32 %i; .reg .u64 %x, %y, %at; .reg .f32 %a, %u, %v;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; ld.param.f32 %a, [a]; mov.u32 %i, %tid.x;
  mul.wide.u32 %at, %i, 4; add.u64 %x, %x, %at; add.u64 %y, %y, %at;
  ld.global.f32 %u, [%x]; ld.global.f32 %v, [%y]; fma.rn.f32 %v, %a, %u, %v; st.global.f32 [%y], %v; ret; })";

int main() {
  heddle::Reference reference(ptx);
  const auto x = reference.upload(std::vector<float>{1, 2, 3, 4});
  const auto y = reference.upload(std::vector<float>{10, 20, 30, 40});
  reference.launch("saxpy", {.grid = {1}, .block = {4}}, {x, y, 2.0f});
  for (const float value : reference.download<float>(y, 4)) std::printf("%g\n", value);
  return 0;
}
