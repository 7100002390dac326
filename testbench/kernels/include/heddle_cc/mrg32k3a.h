// SPDX-License-Identifier: Apache-2.0
// The random numbers of MRG32k3a: two recurrences of order 3 (P. L'Ecuyer, Good parameters and implementations for
// combined multiple recursive random number generators, Operations Research 47(1), 1999). Sequences of curand_init
// are 2^76 steps apart.
#pragma once

#include "special.h"

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];  // the last three values of each recurrence, oldest first
  int kept, kept_double;  // the kept second number of a pair: 1 normal, 2 log-normal, 0 none
  float normal;
  double normal_double;
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;

namespace heddle_cc {

/// Arithmetic modulo 2^32 - gap. All operands and results are below this modulus.
template <unsigned gap>
struct Modulo {
  static constexpr unsigned modulus = 0u - gap;
  static constexpr __host__ __device__ unsigned of(unsigned long long x) {
    // Modulo the modulus, 2^32 equals `gap`, which is below 2^15. Three rounds therefore leave less than twice the
    // modulus.
    for (int i = 0; i < 3; ++i) x = (x >> 32) * gap + (unsigned)x;
    return (unsigned)(x >= modulus ? x - modulus : x);
  }
  static constexpr __host__ __device__ unsigned product(unsigned a, unsigned b) {
    return of((unsigned long long)a * b);
  }
  static constexpr __host__ __device__ unsigned sum(unsigned a, unsigned b) {
    return of((unsigned long long)a + b);
  }

  /// A linear map (3 x 3 matrix) of three values. It advances a recurrence by a fixed number of steps.
  struct Map {
    unsigned at[3][3];
    constexpr __host__ __device__ Map squared() const {
      Map result{};
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k) result.at[i][j] = sum(result.at[i][j], product(at[i][k], at[k][j]));
      return result;
    }
    /// Returns a map that advances by 2^doublings times the number of steps of this map.
    constexpr __host__ __device__ Map doubled(int doublings) const {
      Map result = *this;
      for (int i = 0; i < doublings; ++i) result = result.squared();
      return result;
    }
    /// Applies the map `count` times.
    __device__ void advance(unsigned (&values)[3], unsigned long long count) const {
      Map map = *this;
      for (; count != 0; count >>= 1, map = map.squared()) {
        if ((count & 1) == 0) continue;
        unsigned next[3] = {};
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) next[i] = sum(next[i], product(map.at[i][k], values[k]));
        for (int i = 0; i < 3; ++i) values[i] = next[i];
      }
    }
  };
};
using Mrg1 = Modulo<209>;
using Mrg2 = Modulo<22853>;

/// Both recurrences.
struct MrgMaps {
  Mrg1::Map first{{{0, 1, 0}, {0, 0, 1}, {Mrg1::modulus - 810728, 1403580, 0}}};
  Mrg2::Map second{{{0, 1, 0}, {0, 0, 1}, {Mrg2::modulus - 1370589, 0, 527612}}};
  constexpr __host__ __device__ MrgMaps doubled(int doublings) const {
    return {first.doubled(doublings), second.doubled(doublings)};
  }
};

template <int doublings>
static __device__ __noinline__ void mrg_jump(curandStateMRG32k3a* state, unsigned long long count) {
  constexpr MrgMaps maps = MrgMaps{}.doubled(doublings);
  maps.first.advance(state->s1, count);
  maps.second.advance(state->s2, count);
}

/// Returns the next number, 1 to 2^32 - 209.
HEDDLE_CC_FUNCTION unsigned mrg_step(curandStateMRG32k3a* state) {
  unsigned *const x = state->s1, *const y = state->s2;
  const unsigned long long positive = 1403580ull * x[1], negative = 810728ull * (Mrg1::modulus - x[0]);
  const unsigned a = Mrg1::of(positive + negative);
  const unsigned b = Mrg2::of(527612ull * y[2] + 1370589ull * (Mrg2::modulus - y[0]));
  x[0] = x[1];
  x[1] = x[2];
  x[2] = a;
  y[0] = y[1];
  y[1] = y[2];
  y[2] = b;
  return a > b ? a - b : a - b + Mrg1::modulus;
}
/// Factor that scales the results of mrg_step() to (0, 1].
constexpr double kMrgUnit = 1.0 / Mrg1::modulus;
/// Factor that scales the results of mrg_step() to 32 bits, with the digits of cuRAND's factor. The largest result
/// becomes 2^32, which the conversion to unsigned saturates.
constexpr double kMrgBits = 1.000000048662;

}  // namespace heddle_cc

/// Returns a random number that is scaled to all 32 bits.
HEDDLE_CC_FUNCTION unsigned curand(curandStateMRG32k3a* state) {
  return (unsigned)(heddle_cc::mrg_step(state) * heddle_cc::kMrgBits);
}
HEDDLE_CC_FUNCTION void skipahead(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_cc::mrg_jump<0>(state, count);
}
HEDDLE_CC_FUNCTION void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_cc::mrg_jump<76>(state, count);
}
HEDDLE_CC_FUNCTION void skipahead_sequence(unsigned long long count, curandStateMRG32k3a* state) {
  heddle_cc::mrg_jump<127>(state, count);
}
HEDDLE_CC_FUNCTION void curand_init(unsigned long long seed, unsigned long long sequence,
                                    unsigned long long offset, curandStateMRG32k3a* state) {
  const unsigned low = (unsigned)seed ^ 0x55555555u, high = (unsigned)(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const bool even = i % 2 == 0;
    state->s1[i] = seed == 0 ? 12345u : heddle_cc::Mrg1::of(12345ull * (even ? low : high));
    state->s2[i] = seed == 0 ? 12345u : heddle_cc::Mrg2::of(12345ull * (even ? high : low));
  }
  state->kept = state->kept_double = 0;
  state->normal = 0;
  state->normal_double = 0;
  skipahead_subsequence(sequence, state);
  skipahead(offset, state);
}

HEDDLE_CC_FUNCTION double curand_uniform_double(curandStateMRG32k3a* state) {
  return heddle_cc::mrg_step(state) * heddle_cc::kMrgUnit;
}
HEDDLE_CC_FUNCTION float curand_uniform(curandStateMRG32k3a* state) {
  return (float)curand_uniform_double(state);
}
/// Box-Muller transform (G. Box and M. Muller, Annals of Mathematical Statistics 29, 1958).
HEDDLE_CC_FUNCTION float2 curand_normal2(curandStateMRG32k3a* state) {
  const float u = curand_uniform(state), angle = curand_uniform(state) * 6.28318531f;
  const float size = sqrtf(-2.0f * logf(u));
  return {size * __sinf(angle), size * __cosf(angle)};
}
HEDDLE_CC_FUNCTION double2 curand_normal2_double(curandStateMRG32k3a* state) {
  const double u = curand_uniform_double(state), half_turns = curand_uniform_double(state) * 2;
  const double size = sqrt(-2.0 * log(u));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return {size * sine, size * cosine};
}
