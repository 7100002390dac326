// SPDX-License-Identifier: Apache-2.0
// thrust's random numbers for host and device (Thrust's documentation, "Random Number Generation"): linear
// congruential engines, and distributions with one draw each. Values of distributions are not digit for digit
// those of Thrust.
#pragma once

#include <math.h>

#include "../../heddle_cc.h"

namespace thrust {
namespace random {

/// A random generator that steps from x to (a * x) mod m. Its numbers are 1 to m - 1.
template <unsigned a, unsigned m>
class multiplicative_engine {
 public:
  typedef unsigned result_type;
  static constexpr unsigned min = 1, max = m - 1, default_seed = 1;
  __host__ __device__ explicit multiplicative_engine(unsigned value = default_seed) { seed(value); }
  __host__ __device__ void seed(unsigned value = default_seed) {
    state_ = value % m;
    if (!state_) state_ = 1;
  }
  __host__ __device__ unsigned operator()() {
    return state_ = (unsigned)((unsigned long long)a * state_ % m);
  }
  /// Skips `draws` numbers at once: computes the power of the multiplier `a` by repeated squaring.
  __host__ __device__ void discard(unsigned long long draws) {
    unsigned long long power = a, state = state_;
    for (; draws; draws /= 2, power = power * power % m)
      if (draws % 2) state = state * power % m;
    state_ = (unsigned)state;
  }

 private:
  unsigned state_;
};
typedef multiplicative_engine<16807, 2147483647> minstd_rand0;
typedef multiplicative_engine<48271, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/// Returns a number in [0, 1).
template <class Engine>
__host__ __device__ double unit(Engine& engine) {
  return (engine() - Engine::min) / ((double)Engine::max - Engine::min + 1);
}
template <class Real = double>
class uniform_real_distribution {
 public:
  typedef Real result_type;
  __host__ __device__ explicit uniform_real_distribution(Real low = 0, Real high = 1)
      : low_(low), high_(high) {}
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine) const {
    return (Real)(low_ + unit(engine) * (high_ - low_));
  }

 private:
  Real low_, high_;
};
template <class Int = int>
class uniform_int_distribution {
 public:
  typedef Int result_type;
  __host__ __device__ explicit uniform_int_distribution(Int low = 0, Int high = 2147483647)
      : low_(low), high_(high) {}
  template <class Engine>
  __host__ __device__ Int operator()(Engine& engine) const {
    return (Int)(low_ + (long long)floor(unit(engine) * ((double)high_ - (double)low_ + 1)));
  }

 private:
  Int low_, high_;
};
/// Uses Box and Muller's method.
template <class Real = double>
class normal_distribution {
 public:
  typedef Real result_type;
  __host__ __device__ explicit normal_distribution(Real mean = 0, Real deviation = 1)
      : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  __host__ __device__ Real operator()(Engine& engine) const {
    const double radius = sqrt(-2 * log(1 - unit(engine)));
    return (Real)(mean_ + deviation_ * radius * cos(6.283185307179586 * unit(engine)));
  }

 private:
  Real mean_, deviation_;
};

}  // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}  // namespace thrust
