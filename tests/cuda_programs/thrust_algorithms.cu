// Compares thrust's vectors and algorithms, on the device and on the host, with the C++ library.
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <numeric>

#include "check.h"

static long wrong = 0, all = 0;
static void expect(bool right) {
  ++all;
  wrong += !right;
}
template <class T>
static void expect_equal(const thrust::device_vector<T>& found, const std::vector<T>& right) {
  const thrust::host_vector<T> here = found;
  expect(here == right);
}

struct Odd {
  __host__ __device__ bool operator()(int a) const { return a % 2; }
};
struct AddSecond {
  template <class Tuple>
  __host__ __device__ void operator()(Tuple values) const {
    thrust::get<0>(values) += 10 * thrust::get<1>(values);
  }
};
/// A function object whose operator() is not const.
struct Doubled {
  __host__ __device__ long operator()(int a) { return 2L * a; }
};
struct Squared {
  __host__ __device__ long operator()(int a) const { return (long)a * a; }
};

static std::vector<int> numbers(int n, int most) {
  thrust::random::minstd_rand engine(11);
  std::vector<int> made(n);
  for (int& value : made) value = (int)(engine() % most);
  return made;
}

static void folds_and_scans(const std::vector<int>& in) {
  const thrust::device_vector<int> d = in;
  const int n = (int)in.size();
  expect(thrust::reduce(d.begin(), d.end()) == std::accumulate(in.begin(), in.end(), 0));
  expect(thrust::reduce(thrust::host, in.begin(), in.end(), 0, thrust::maximum<int>()) == *std::max_element(in.begin(), in.end()));
  expect(thrust::transform_reduce(d.begin(), d.end(), Squared(), 5L, thrust::plus<long>()) ==
         5 + std::inner_product(in.begin(), in.end(), in.begin(), 0L));
  expect(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) ==
         std::inner_product(in.begin(), in.end(), in.begin(), 0));
  expect(thrust::count_if(d.begin(), d.end(), Odd()) == std::count_if(in.begin(), in.end(), Odd()));
  expect(thrust::min_element(d.begin(), d.end()) - d.begin() == std::min_element(in.begin(), in.end()) - in.begin());
  expect(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(in.begin(), in.end()) - in.begin());
  expect(thrust::find(d.begin(), d.end(), in[n / 2]) - d.begin() ==
         std::find(in.begin(), in.end(), in[n / 2]) - in.begin());
  expect(thrust::find(d.begin(), d.end(), -1) == d.end());
  thrust::device_vector<int> out(n);
  std::vector<int> right(n);
  thrust::inclusive_scan(d.begin(), d.end(), out.begin());
  std::partial_sum(in.begin(), in.end(), right.begin());
  expect_equal(out, right);
  thrust::exclusive_scan(thrust::device, d.begin(), d.end(), out.begin(), 3);
  for (int i = 0, sum = 3; i < n; sum += in[i++]) right[i] = sum;
  expect_equal(out, right);
}

/// Tests elements of a device vector, and the addresses of elements.
static void elements(const std::vector<int>& in) {
  thrust::device_vector<int> d = in;
  const thrust::device_vector<int>& same = d;
  expect(thrust::raw_pointer_cast(&d[3]) == thrust::raw_pointer_cast(d.data()) + 3);
  expect(const_cast<int*>(thrust::raw_pointer_cast(&same[3])) == thrust::raw_pointer_cast(&d[3]));
  d[0] += 5;
  d[0] *= 3;
  d[1] -= d[2];
  expect(d[0]++ == (in[0] + 5) * 3 && d[0] == (in[0] + 5) * 3 + 1);
  expect(d[1] == in[1] - in[2] && --d[3] == in[3] - 1);
  const auto doubled = thrust::make_transform_iterator(same.begin() + 4, Doubled());
  expect(thrust::reduce(doubled, doubled + 10, 0L) == 2 * std::accumulate(in.begin() + 4, in.begin() + 14, 0L));
}

static void orders(std::vector<int> in) {
  thrust::device_vector<int> keys = in, values(in.size());
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  std::vector<int> places(in.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](int a, int b) { return in[a] < in[b]; });
  expect_equal(values, places);
  std::sort(in.begin(), in.end());
  expect_equal(keys, in);
  thrust::device_vector<int> at(1);
  const thrust::device_vector<int> wanted(1, in[100]);
  thrust::upper_bound(keys.begin(), keys.end(), wanted.begin(), wanted.end(), at.begin());
  expect(at[0] == std::upper_bound(in.begin(), in.end(), in[100]) - in.begin());

  thrust::device_vector<int> sums(in.size()), heads(in.size());
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1), heads.begin(), sums.begin());
  keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
  const std::vector<int> sorted = in;
  in.erase(std::unique(in.begin(), in.end()), in.end());
  expect_equal(keys, in);
  expect(ends.first - heads.begin() == (long)in.size());
  for (size_t i = 0; i < in.size(); ++i) expect(sums[i] == std::count(sorted.begin(), sorted.end(), in[i]));

  int* const raw = thrust::raw_pointer_cast(values.data());
  thrust::sort(thrust::device, raw, raw + values.size(), thrust::greater<int>());
  expect(values[0] == (int)values.size() - 1 && values.back() == 0);
}

static void selections(std::vector<int> in) {
  thrust::device_vector<int> d = in, out(in.size());
  const auto end = thrust::copy_if(d.begin(), d.end(), out.begin(), Odd());
  out.resize(end - out.begin());
  std::vector<int> right;
  std::copy_if(in.begin(), in.end(), std::back_inserter(right), Odd());
  expect_equal(out, right);
  d.erase(thrust::remove_if(d.begin(), d.end(), Odd()), d.end());
  in.erase(std::remove_if(in.begin(), in.end(), Odd()), in.end());
  expect_equal(d, in);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), thrust::counting_iterator<int>(0))),
                   thrust::make_zip_iterator(thrust::make_tuple(d.end(), thrust::counting_iterator<int>((int)d.size()))),
                   AddSecond());
  for (size_t i = 0; i < in.size(); ++i) in[i] += 10 * (int)i;
  expect_equal(d, in);
  const std::vector<int> map = {3, 1, 2};
  const thrust::device_vector<int> places = map;
  thrust::device_vector<int> picked(3);
  thrust::gather(places.begin(), places.end(), d.begin(), picked.begin());
  expect_equal(picked, {in[3], in[1], in[2]});
  expect(thrust::reduce(thrust::make_permutation_iterator(d.begin(), places.begin()),
                        thrust::make_permutation_iterator(d.begin(), places.end())) == in[3] + in[1] + in[2]);
  thrust::transform(d.begin(), d.end(), d.begin(), [] __host__ __device__(int a) { return -a; });
  expect(d[1] == -in[1]);
}

__global__ void in_a_kernel(int* values, thrust::complex<double>* product) {
  thrust::sort(thrust::seq, values, values + 5);
  values[5] = thrust::reduce(thrust::seq, values, values + 5);
  *product = thrust::complex<double>(1, 2) * thrust::complex<double>(3, -1);
}

int main() {
  const std::vector<int> in = numbers(2000, 500);
  elements(in);
  folds_and_scans(in);
  orders(in);
  selections(in);
  thrust::device_vector<int> few = std::vector<int>{4, 1, 5, 2, 3, 0};
  thrust::device_vector<thrust::complex<double>> product(1);
  in_a_kernel<<<1, 1>>>(thrust::raw_pointer_cast(few.data()), thrust::raw_pointer_cast(product.data()));
  expect_equal(few, {1, 2, 3, 4, 5, 15});
  expect((thrust::complex<double>)product[0] == thrust::complex<double>(5, 5));
  thrust::host_vector<int> shuffled(50), sorted(50);
  thrust::sequence(sorted.begin(), sorted.end());
  shuffled = sorted;
  thrust::shuffle(shuffled.begin(), shuffled.end(), thrust::default_random_engine(5));
  expect(shuffled != sorted);
  thrust::sort(shuffled.begin(), shuffled.end());
  expect(shuffled == sorted);
  thrust::minstd_rand one(3), other(3);
  for (int i = 0; i < 1000; ++i) one();
  other.discard(1000);
  expect(one() == other());
  thrust::minstd_rand standard;
  standard.discard(9999);
  expect(standard() == 399268537u);  // C++, [rand.predef]: the ten thousandth draw
  return report(wrong, all);
}
