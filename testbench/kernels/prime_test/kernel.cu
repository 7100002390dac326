#include "../shim.h"

// Tests odd 64-bit numbers for primality by Miller and Rabin's method with twelve fixed bases, with
// Montgomery multiplication. For most numbers, the test ends before the last base.
__constant__ unsigned char bases[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

// Returns a * b / 2^64 modulo n, for a, b < n and n * inverse = -1 modulo 2^64.
__device__ __noinline__ unsigned long long multiply(unsigned long long a, unsigned long long b,
                                                    unsigned long long n, unsigned long long inverse) {
  const unsigned long long low = a * b;
  const unsigned long long high = __umul64hi(a, b);
  const unsigned long long m = low * inverse;
  const unsigned long long carry = low != 0 ? 1 : 0;
  const unsigned long long reduced = __umul64hi(m, n);
  unsigned long long sum = high + reduced;
  const bool overflow = sum < high;
  sum += carry;
  return overflow || sum < carry || sum >= n ? sum - n : sum;
}

__global__ void prime_test(const unsigned long long* candidates, unsigned char* prime, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned long long n = candidates[i] | 1;
  unsigned long long inverse = 1;
  for (int k = 0; k < 6; ++k) inverse *= 2 + n * inverse;
  const unsigned long long one = (0 - n) % n;
  const unsigned long long minus_one = n - one;
  unsigned long long odd = n - 1;
  int twos = 0;
  while ((odd & 1) == 0) {
    odd >>= 1;
    ++twos;
  }
  bool composite = n < 40;
  for (int k = 0; k < 12 && !composite; ++k) {
    unsigned long long base = 0;
    for (int bit = bases[k]; bit > 0; --bit) {
      const unsigned long long sum = base + one;
      base = sum < base || sum >= n ? sum - n : sum;
    }
    unsigned long long power = one;
    for (unsigned long long e = odd; e != 0; e >>= 1) {
      if (e & 1) power = multiply(power, base, n, inverse);
      base = multiply(base, base, n, inverse);
    }
    bool witness = power != one && power != minus_one;
    for (int square = 1; square < twos && witness; ++square) {
      power = multiply(power, power, n, inverse);
      if (power == minus_one) witness = false;
    }
    composite = witness;
  }
  prime[i] = composite ? 0 : 1;
}
