// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: bfloat16 by PTX
// instructions.
#pragma once

#include "../heddle_cc.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};
#define HEDDLE_CC_H __nv_bfloat16
#define HEDDLE_CC_H2 __nv_bfloat162
#define HEDDLE_CC_RAW __nv_bfloat16_raw
#define HEDDLE_CC_RAW2 __nv_bfloat162_raw
#define HEDDLE_CC_DIGITS 8
#define HEDDLE_CC_PTX "bf16"
#define HEDDLE_CC_SATURATES 0
#define HEDDLE_CC_NAME(before, behind) before##bfloat16##behind
#include "heddle_cc/half_type.h"
#undef HEDDLE_CC_H
#undef HEDDLE_CC_H2
#undef HEDDLE_CC_RAW
#undef HEDDLE_CC_RAW2
#undef HEDDLE_CC_DIGITS
#undef HEDDLE_CC_PTX
#undef HEDDLE_CC_SATURATES
#undef HEDDLE_CC_NAME

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

HEDDLE_CC_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
HEDDLE_CC_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
HEDDLE_CC_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
HEDDLE_CC_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
HEDDLE_CC_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
HEDDLE_CC_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
HEDDLE_CC_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
HEDDLE_CC_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }
HEDDLE_CC_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) { return {v.x, w.x}; }
HEDDLE_CC_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 v, __nv_bfloat162 w) { return {v.y, w.y}; }
HEDDLE_CC_BOTH float __low2float(__nv_bfloat162 v) { return v.x; }
HEDDLE_CC_BOTH float __high2float(__nv_bfloat162 v) { return v.y; }
HEDDLE_CC_BOTH __nv_bfloat162 __float2bfloat162_rn(float v) { return {__nv_bfloat16(v), __nv_bfloat16(v)}; }
HEDDLE_CC_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
HEDDLE_CC_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)};
}
HEDDLE_CC_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) { return {(float)v.x, (float)v.y}; }
