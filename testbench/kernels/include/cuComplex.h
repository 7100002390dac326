// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: complex numbers as pairs.
#pragma once

#include "../heddle_cc.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define HEDDLE_CC_COMPLEX(suffix, pair, number)                                              \
  HEDDLE_CC_BOTH number cuCreal##suffix(pair v) { return v.x; }                              \
  HEDDLE_CC_BOTH number cuCimag##suffix(pair v) { return v.y; }                              \
  HEDDLE_CC_BOTH pair cuConj##suffix(pair v) { return {v.x, -v.y}; }                         \
  HEDDLE_CC_BOTH pair cuCadd##suffix(pair a, pair b) { return {a.x + b.x, a.y + b.y}; }      \
  HEDDLE_CC_BOTH pair cuCsub##suffix(pair a, pair b) { return {a.x - b.x, a.y - b.y}; }      \
  HEDDLE_CC_BOTH pair cuCmul##suffix(pair a, pair b) {                                       \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                   \
  }                                                                                          \
  HEDDLE_CC_BOTH pair cuCfma##suffix(pair a, pair b, pair c) {                               \
    return cuCadd##suffix(cuCmul##suffix(a, b), c);                                          \
  }                                                                                          \
  /* Scaled by the larger part, so that no square overflows (R. Smith, CACM 5(8), 1962). */  \
  HEDDLE_CC_BOTH pair cuCdiv##suffix(pair a, pair b) {                                       \
    const bool real = (b.x < 0 ? -b.x : b.x) >= (b.y < 0 ? -b.y : b.y);                      \
    const number r = real ? b.y / b.x : b.x / b.y, d = real ? b.x + b.y * r : b.x * r + b.y; \
    return real ? pair{(a.x + a.y * r) / d, (a.y - a.x * r) / d}                             \
                : pair{(a.x * r + a.y) / d, (a.y * r - a.x) / d};                            \
  }
HEDDLE_CC_COMPLEX(f, float2, float)
HEDDLE_CC_COMPLEX(, double2, double)
#undef HEDDLE_CC_COMPLEX
HEDDLE_CC_BOTH cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
HEDDLE_CC_BOTH cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
HEDDLE_CC_BOTH cuComplex make_cuComplex(float x, float y) { return {x, y}; }
HEDDLE_CC_FUNCTION float cuCabsf(cuFloatComplex v) { return hypotf(v.x, v.y); }
HEDDLE_CC_FUNCTION double cuCabs(cuDoubleComplex v) { return hypot(v.x, v.y); }
HEDDLE_CC_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex v) { return {v.x, v.y}; }
HEDDLE_CC_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex v) { return {(float)v.x, (float)v.y}; }
