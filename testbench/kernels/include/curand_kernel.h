// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: random numbers made on the device.
//
//   MRG32k3a        heddle_cc/mrg32k3a.h
//   XORWOW          G. Marsaglia, Xorshift RNGs, J. of Statistical Software 8(14), 2003; sequences 2^67 steps apart
//   Philox4_32_10   J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011
#pragma once

#include "../heddle_cc.h"
#include "heddle_cc/mrg32k3a.h"
#include "heddle_cc/xorwow_jumps.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int kept, kept_double;  // the kept second number of a pair: 1 normal, 2 log-normal, 0 none
  float normal;
  double normal_double;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;

struct curandStatePhilox4_32_10 {
  uint4 counter, output;
  uint2 key;
  unsigned used;
  int kept, kept_double;  // the kept second number of a pair: 1 normal, 2 log-normal, 0 none
  float normal;
  double normal_double;
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

namespace heddle_cc {

static __device__ const unsigned xorwow_offsets[64 * 5] = {HEDDLE_CC_XORWOW_OFFSETS};
static __device__ const unsigned xorwow_sequences[64 * 5] = {HEDDLE_CC_XORWOW_SEQUENCES};

HEDDLE_CC_FUNCTION void xorwow_step(unsigned* v) {
  const unsigned t = v[0] ^ v[0] >> 2;
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
/// Advances the state by count * 2^k steps, where 2^k is the number of steps of the table's first polynomial.
/// The table has one polynomial for each binary digit of count.
static __device__ __noinline__ void xorwow_jump(curandStateXORWOW* state, const unsigned* table,
                                                unsigned long long count) {
  for (; count != 0; count >>= 1, table += 5) {
    if ((count & 1) == 0) continue;
    unsigned v[5], sum[5] = {0, 0, 0, 0, 0};
    for (int w = 0; w < 5; ++w) v[w] = state->v[w];
    for (int w = 0; w < 5; ++w) {
      const unsigned digits = table[w];
      for (int bit = 0; bit < 32; ++bit) {
        const unsigned chosen = 0u - (digits >> bit & 1);
#pragma unroll
        for (int k = 0; k < 5; ++k) sum[k] ^= v[k] & chosen;
        xorwow_step(v);
      }
    }
    for (int w = 0; w < 5; ++w) state->v[w] = sum[w];
  }
}

HEDDLE_CC_FUNCTION uint4 philox(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = {high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}
HEDDLE_CC_FUNCTION void philox_skip(uint4& c, unsigned long long low, unsigned long long high) {
  unsigned long long a = (unsigned long long)c.y << 32 | c.x, b = (unsigned long long)c.w << 32 | c.z;
  a += low;
  b += high + (a < low);
  c = {(unsigned)a, (unsigned)(a >> 32), (unsigned)b, (unsigned)(b >> 32)};
}

/// Returns a number in (0, 1]: the middle of one of 2^32 (2^53 for double) equal intervals.
HEDDLE_CC_FUNCTION float uniform(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
HEDDLE_CC_FUNCTION double uniform(unsigned x, unsigned y) {
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
/// Box-Muller transform (G. Box and M. Muller, Annals of Mathematical Statistics 29, 1958).
HEDDLE_CC_FUNCTION float2 normal(unsigned x, unsigned y) {
  const float u = uniform(x), angle = y * (0x1p-32f * 6.28318531f) + 0x1p-33f * 6.28318531f;
  const float size = sqrtf(-2.0f * logf(u));
  return {size * __sinf(angle), size * __cosf(angle)};
}
HEDDLE_CC_FUNCTION double2 normal(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double u = uniform(x0, x1);
  const double half_turns = (y0 ^ (unsigned long long)y1 << 21) * 0x1p-52 + 0x1p-53;
  const double size = sqrt(-2.0 * log(u));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return {size * sine, size * cosine};
}

}  // namespace heddle_cc

HEDDLE_CC_FUNCTION unsigned curand(curandStateXORWOW* state) {
  heddle_cc::xorwow_step(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}
HEDDLE_CC_FUNCTION void skipahead(unsigned long long count, curandStateXORWOW* state) {
  heddle_cc::xorwow_jump(state, heddle_cc::xorwow_offsets, count);
  state->d += 362437u * (unsigned)count;
}
HEDDLE_CC_FUNCTION void skipahead_sequence(unsigned long long count, curandStateXORWOW* state) {
  heddle_cc::xorwow_jump(state, heddle_cc::xorwow_sequences, count);
}
HEDDLE_CC_FUNCTION void curand_init(unsigned long long seed, unsigned long long sequence,
                                    unsigned long long offset, curandStateXORWOW* state) {
  // Marsaglia's initial state, changed by the two halves of the seed.
  const unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
  const unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->kept = state->kept_double = 0;
  state->normal = 0;
  state->normal_double = 0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

HEDDLE_CC_FUNCTION unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned used = state->used;
  const uint4 o = state->output;
  const unsigned result = used == 0 ? o.x : used == 1 ? o.y : used == 2 ? o.z : o.w;
  state->used = (used + 1) & 3;
  if (state->used == 0) {
    heddle_cc::philox_skip(state->counter, 1, 0);
    state->output = heddle_cc::philox(state->counter, state->key);
  }
  return result;
}
HEDDLE_CC_FUNCTION uint4 curand4(curandStatePhilox4_32_10* state) {
  const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return {a, b, c, d};
}
HEDDLE_CC_FUNCTION void skipahead(unsigned long long count, curandStatePhilox4_32_10* state) {
  const unsigned used = state->used + (unsigned)(count & 3);
  heddle_cc::philox_skip(state->counter, count / 4 + used / 4, 0);
  state->used = used & 3;
  state->output = heddle_cc::philox(state->counter, state->key);
}
HEDDLE_CC_FUNCTION void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10* state) {
  heddle_cc::philox_skip(state->counter, 0, count);
  state->output = heddle_cc::philox(state->counter, state->key);
}
HEDDLE_CC_FUNCTION void curand_init(unsigned long long seed, unsigned long long sequence,
                                    unsigned long long offset, curandStatePhilox4_32_10* state) {
  state->counter = {0, 0, (unsigned)sequence, (unsigned)(sequence >> 32)};
  state->key = {(unsigned)seed, (unsigned)(seed >> 32)};
  state->used = 0;
  state->kept = state->kept_double = 0;
  state->normal = 0;
  state->normal_double = 0;
  skipahead(offset, state);
}

HEDDLE_CC_FUNCTION double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return heddle_cc::uniform(x, y);
}
/// Returns n / 2^32, with a random n from 1 to 2^32.
HEDDLE_CC_FUNCTION double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}

// Distributions for generators that return 32 random bits per call.
#define HEDDLE_CC_DISTRIBUTIONS(State)                                                                \
  HEDDLE_CC_FUNCTION float curand_uniform(State* state) { return heddle_cc::uniform(curand(state)); } \
  HEDDLE_CC_FUNCTION float2 curand_normal2(State* state) {                                            \
    const unsigned x = curand(state), y = curand(state);                                              \
    return heddle_cc::normal(x, y);                                                                   \
  }                                                                                                   \
  HEDDLE_CC_FUNCTION double2 curand_normal2_double(State* state) {                                    \
    const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);        \
    return heddle_cc::normal(a, b, c, d);                                                             \
  }
// Distributions that compute two numbers in one call, and keep the second number for the next call.
#define HEDDLE_CC_KEPT_PAIRS(State)                                                                 \
  HEDDLE_CC_FUNCTION float curand_normal(State* state) {                                            \
    if (state->kept == 1) {                                                                         \
      state->kept = 0;                                                                              \
      return state->normal;                                                                         \
    }                                                                                               \
    const float2 v = curand_normal2(state);                                                         \
    state->kept = 1;                                                                                \
    state->normal = v.y;                                                                            \
    return v.x;                                                                                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION float heddle_cc_log_deviate(State* state) {                                    \
    if (state->kept == 2) {                                                                         \
      state->kept = 0;                                                                              \
      return state->normal;                                                                         \
    }                                                                                               \
    const float2 v = curand_normal2(state);                                                         \
    state->kept = 2;                                                                                \
    state->normal = v.y;                                                                            \
    return v.x;                                                                                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION double curand_normal_double(State* state) {                                    \
    if (state->kept_double == 1) {                                                                  \
      state->kept_double = 0;                                                                       \
      return state->normal_double;                                                                  \
    }                                                                                               \
    const double2 v = curand_normal2_double(state);                                                 \
    state->kept_double = 1;                                                                         \
    state->normal_double = v.y;                                                                     \
    return v.x;                                                                                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION double heddle_cc_log_deviate_double(State* state) {                            \
    if (state->kept_double == 2) {                                                                  \
      state->kept_double = 0;                                                                       \
      return state->normal_double;                                                                  \
    }                                                                                               \
    const double2 v = curand_normal2_double(state);                                                 \
    state->kept_double = 2;                                                                         \
    state->normal_double = v.y;                                                                     \
    return v.x;                                                                                     \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION float curand_log_normal(State* state, float mean, float deviation) {           \
    return expf(mean + deviation * heddle_cc_log_deviate(state));                                   \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION double curand_log_normal_double(State* state, double mean, double deviation) { \
    return exp(mean + deviation * heddle_cc_log_deviate_double(state));                             \
  }                                                                                                 \
  HEDDLE_CC_FUNCTION float2 curand_log_normal2(State* state, float mean, float deviation) {         \
    const float2 v = curand_normal2(state);                                                         \
    return {expf(mean + deviation * v.x), expf(mean + deviation * v.y)};                            \
  }
HEDDLE_CC_DISTRIBUTIONS(curandStateXORWOW)
HEDDLE_CC_DISTRIBUTIONS(curandStatePhilox4_32_10)
HEDDLE_CC_KEPT_PAIRS(curandStateXORWOW)
HEDDLE_CC_KEPT_PAIRS(curandStatePhilox4_32_10)
HEDDLE_CC_KEPT_PAIRS(curandStateMRG32k3a)
#undef HEDDLE_CC_DISTRIBUTIONS
#undef HEDDLE_CC_KEPT_PAIRS
HEDDLE_CC_FUNCTION float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 v = curand4(state);
  return {heddle_cc::uniform(v.x), heddle_cc::uniform(v.y), heddle_cc::uniform(v.z), heddle_cc::uniform(v.w)};
}
HEDDLE_CC_FUNCTION double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 v = curand4(state);
  return {heddle_cc::uniform(v.x, v.y), heddle_cc::uniform(v.z, v.w)};
}
HEDDLE_CC_FUNCTION float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 v = curand4(state);
  const float2 a = heddle_cc::normal(v.x, v.y), b = heddle_cc::normal(v.z, v.w);
  return {a.x, a.y, b.x, b.y};
}
HEDDLE_CC_FUNCTION float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 v = curand_normal4(state);
  return {expf(mean + deviation * v.x), expf(mean + deviation * v.y), expf(mean + deviation * v.z),
          expf(mean + deviation * v.w)};
}
