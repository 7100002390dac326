#include <bit>

#include "testbench/kernels/kernel_reference.h"

namespace heddle::kernels::prime_test {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t power(std::uint64_t base, std::uint64_t exponent, std::uint64_t n) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = static_cast<std::uint64_t>(static_cast<Wide>(result) * base % n);
    base = static_cast<std::uint64_t>(static_cast<Wide>(base) * base % n);
  }
  return result;
}

// With the first twelve primes as bases, the test gives the right answer for every odd 64-bit number above 37.
bool is_prime(std::uint64_t n) {
  if (n < 40) return false;
  const int twos = std::countr_zero(n - 1);
  for (const std::uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    std::uint64_t x = power(base, (n - 1) >> twos, n);
    bool passes = x == 1 || x == n - 1;
    for (int k = 1; k < twos && !passes; ++k) {
      x = power(x, 2, n);
      passes = x == n - 1;
    }
    if (!passes) return false;
  }
  return true;
}

void reference(KernelData& data) {
  const auto numbers = data.buffer<std::uint64_t>("numbers");
  const auto prime = data.buffer<std::uint8_t>("prime");
  for (std::size_t i = 0; i < prime.size(); ++i) prime[i] = is_prime(numbers[i] | 1) ? 1 : 0;
}

const KernelReference registered("prime_test", &reference);

}  // namespace
}  // namespace heddle::kernels::prime_test
