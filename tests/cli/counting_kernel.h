#pragma once

// Provides a kernel whose only thread counts to a number, and launch files for this kernel.

#include <string>

namespace heddle::test {

inline constexpr const char* kCountingPtx = R"(.version 6.0
.target sm_30
.address_size 64
.visible .entry count(.param .u64 a, .param .u32 rounds)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [rounds];
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  st.global.u32 [%rd1], %r2;
  ret;
}
)";

inline std::string counting_launch(int launches, int rounds) {
  return R"({"ptx": "k.ptx", "buffers": {"a": {"type": "u32", "count": 1, "init": {"kind": "zeros"}}},
 "steps": [{"repeat": )" +
         std::to_string(launches) +
         R"(, "steps": [{"kernel": "count", "grid": [1], "block": [1], "args": [{"buffer": "a"}, {"u32": )" +
         std::to_string(rounds) + R"(}]}]}], "outputs": [{"buffer": "a"}]})";
}

}  // namespace heddle::test
