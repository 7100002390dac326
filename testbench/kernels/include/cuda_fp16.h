// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: half precision by PTX
// instructions.
#pragma once

#include "../heddle_cc.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};
#define HEDDLE_CC_H __half
#define HEDDLE_CC_H2 __half2
#define HEDDLE_CC_RAW __half_raw
#define HEDDLE_CC_RAW2 __half2_raw
#define HEDDLE_CC_DIGITS 11
#define HEDDLE_CC_PTX "f16"
#define HEDDLE_CC_SATURATES 1
#define HEDDLE_CC_NAME(before, behind) before##half##behind
#include "heddle_cc/half_type.h"
#undef HEDDLE_CC_H
#undef HEDDLE_CC_H2
#undef HEDDLE_CC_RAW
#undef HEDDLE_CC_RAW2
#undef HEDDLE_CC_DIGITS
#undef HEDDLE_CC_PTX
#undef HEDDLE_CC_SATURATES
#undef HEDDLE_CC_NAME

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;

HEDDLE_CC_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
HEDDLE_CC_BOTH __half2 __half2half2(__half a) { return {a, a}; }
HEDDLE_CC_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
HEDDLE_CC_BOTH __half __low2half(__half2 v) { return v.x; }
HEDDLE_CC_BOTH __half __high2half(__half2 v) { return v.y; }
HEDDLE_CC_BOTH __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
HEDDLE_CC_BOTH __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
HEDDLE_CC_BOTH __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
HEDDLE_CC_BOTH __half2 __lows2half2(__half2 v, __half2 w) { return {v.x, w.x}; }
HEDDLE_CC_BOTH __half2 __highs2half2(__half2 v, __half2 w) { return {v.y, w.y}; }
HEDDLE_CC_BOTH float __low2float(__half2 v) { return v.x; }
HEDDLE_CC_BOTH float __high2float(__half2 v) { return v.y; }
HEDDLE_CC_BOTH __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
HEDDLE_CC_BOTH __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
HEDDLE_CC_BOTH __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
HEDDLE_CC_BOTH float2 __half22float2(__half2 v) { return {(float)v.x, (float)v.y}; }
