// SPDX-License-Identifier: Apache-2.0
// thrust's algorithms that process each element once: fills, copies, transformations, reductions and scans
// (Thrust's documentation, "Algorithms"). The first argument may be an execution policy.
#pragma once

#include "places.h"

namespace thrust {

using heddle_cc::IfPolicy;
using heddle_cc::raw;

template <class Place, class It, class Function, class = IfPolicy<Place>>
__host__ __device__ It for_each_n(const Place& place, It first, size_t n, Function function) {
  const auto in = raw(first);
  place.for_each(n, [=] __host__ __device__(size_t i) { function(in[i]); });
  return first + n;
}
template <class Place, class It, class Function, class = IfPolicy<Place>>
__host__ __device__ It for_each(const Place& place, It first, It last, Function function) {
  return thrust::for_each_n(place, first, last - first, function);
}
template <class Place, class It, class Function, class = IfPolicy<Place>>
__host__ __device__ void tabulate(const Place& place, It first, It last, Function function) {
  const auto out = raw(first);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[i] = function(i); });
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ It fill_n(const Place& place, It first, size_t n, T value) {
  const auto out = raw(first);
  place.for_each(n, [=] __host__ __device__(size_t i) { out[i] = value; });
  return first + n;
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ void fill(const Place& place, It first, It last, T value) {
  thrust::fill_n(place, first, last - first, value);
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ void sequence(const Place& place, It first, It last, T start, T step = T(1)) {
  const auto out = raw(first);
  using Value = iterator_value_t<It>;
  place.for_each(last - first,
                 [=] __host__ __device__(size_t i) { out[i] = (Value)(start + (Value)i * step); });
}
template <class Place, class It, class = IfPolicy<Place>>
__host__ __device__ void sequence(const Place& place, It first, It last) {
  thrust::sequence(place, first, last, iterator_value_t<It>(0));
}
template <class Place, class It, class Function, class = IfPolicy<Place>>
__host__ __device__ void generate(const Place& place, It first, It last, Function function) {
  const auto out = raw(first);
  place.for_each(last - first, [=] __host__ __device__(size_t i) mutable { out[i] = function(); });
}

template <class Place, class In, class Out, class Function, class = IfPolicy<Place>>
__host__ __device__ Out transform(const Place& place, In first, In last, Out to, Function function) {
  const auto in = raw(first);
  const auto out = raw(to);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[i] = function(in[i]); });
  return to + (last - first);
}
template <class Place, class In, class Second, class Out, class Function, class = IfPolicy<Place>>
__host__ __device__ Out transform(const Place& place, In first, In last, Second second, Out to,
                                  Function function) {
  const auto a = raw(first);
  const auto b = raw(second);
  const auto out = raw(to);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[i] = function(a[i], b[i]); });
  return to + (last - first);
}
template <class Place, class In, class Stencil, class Out, class Function, class Condition,
          class = IfPolicy<Place>>
__host__ __device__ Out transform_if(const Place& place, In first, In last, Stencil stencil, Out to,
                                     Function function, Condition condition) {
  const auto in = raw(first);
  const auto tells = raw(stencil);
  const auto out = raw(to);
  place.for_each(last - first, [=] __host__ __device__(size_t i) {
    if (condition(tells[i])) out[i] = function(in[i]);
  });
  return to + (last - first);
}
template <class Place, class Map, class In, class Out, class = IfPolicy<Place>>
__host__ __device__ Out gather(const Place& place, Map first, Map last, In from, Out to) {
  const auto map = raw(first);
  const auto in = raw(from);
  const auto out = raw(to);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[i] = in[map[i]]; });
  return to + (last - first);
}
template <class Place, class In, class Map, class Out, class = IfPolicy<Place>>
__host__ __device__ void scatter(const Place& place, In first, In last, Map to, Out base) {
  const auto in = raw(first);
  const auto map = raw(to);
  const auto out = raw(base);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[map[i]] = in[i]; });
}
template <class Place, class It, class Condition, class T, class = IfPolicy<Place>>
__host__ __device__ void replace_if(const Place& place, It first, It last, Condition condition, T value) {
  const auto in = raw(first);
  place.for_each(last - first, [=] __host__ __device__(size_t i) {
    if (condition(in[i])) in[i] = value;
  });
}
template <class Place, class It, class T, class = IfPolicy<Place>>
__host__ __device__ void replace(const Place& place, It first, It last, T old, T value) {
  thrust::replace_if(
      place, first, last, [=] __host__ __device__(const T& of) { return of == old; }, value);
}

/// Copies elements. The first function copies within the device or within the host. The second function also copies
/// between host and device: it packs the elements into one block, and copies it.
template <class Place, class In, class Out, class = IfPolicy<Place>>
__host__ __device__ Out copy(const Place& place, In first, In last, Out to) {
  const auto in = raw(first);
  const auto out = raw(to);
  place.for_each(last - first, [=] __host__ __device__(size_t i) { out[i] = in[i]; });
  return to + (last - first);
}
template <class In, class Out, class = heddle_cc::IfNoPolicy<In>>
Out copy(In first, In last, Out to) {
  constexpr bool from_device = heddle_cc::OnDevice<In>::value, to_device = heddle_cc::OnDevice<Out>::value;
  using From = iterator_value_t<In>;
  const size_t n = last - first;
  if constexpr (from_device == to_device) {
    return thrust::copy(heddle_cc::place_of<In, Out>(), first, last, to);
  } else if constexpr (from_device) {
    heddle_cc::parallel::Temporary<From> packed(n);
    thrust::copy(device, first, last, device_ptr<From>(packed.data));
    std::vector<From> values(n);
    cudaMemcpy((void*)values.data(), (const void*)packed.data, n * sizeof(From), cudaMemcpyDeviceToHost);
    return std::copy(values.begin(), values.end(), to);
  } else {
    const std::vector<From> values(first, last);
    heddle_cc::parallel::Temporary<From> packed(n);
    cudaMemcpy((void*)packed.data, (const void*)values.data(), n * sizeof(From), cudaMemcpyHostToDevice);
    const device_ptr<From> from(packed.data);
    return thrust::copy(device, from, from + n, to);
  }
}
template <class In, class Out>
Out copy_n(In first, size_t n, Out to) {
  return thrust::copy(first, first + n, to);
}

// Reductions.

template <class Place, class In, class T, class Operation, class = IfPolicy<Place>>
__host__ __device__ T reduce(const Place& place, In first, In last, T start, Operation operation) {
  return place.template fold<T>(raw(first), last - first, start, operation);
}
template <class Place, class In, class T, class = IfPolicy<Place>>
__host__ __device__ T reduce(const Place& place, In first, In last, T start) {
  return thrust::reduce(place, first, last, start, plus<>());
}
template <class Place, class In, class = IfPolicy<Place>>
__host__ __device__ iterator_value_t<In> reduce(const Place& place, In first, In last) {
  return thrust::reduce(place, first, last, iterator_value_t<In>(0), plus<>());
}
template <class Place, class In, class Function, class T, class Operation, class = IfPolicy<Place>>
__host__ __device__ T transform_reduce(const Place& place, In first, In last, Function function, T start,
                                       Operation operation) {
  return place.template fold<T>(thrust::make_transform_iterator(raw(first), function), last - first, start,
                                operation);
}
/// A sequence: element i is `function` of element i of `a` and element i of `b`.
template <class A, class B, class Function>
struct Paired {
  A a;
  B b;
  Function function;
  __host__ __device__ auto operator[](size_t i) const { return function(a[i], b[i]); }
};
template <class Place, class A, class B, class T, class Add, class Multiply, class = IfPolicy<Place>>
__host__ __device__ T inner_product(const Place& place, A first, A last, B second, T start, Add add,
                                    Multiply multiply) {
  return place.template fold<T>(
      Paired<decltype(raw(first)), decltype(raw(second)), Multiply>{raw(first), raw(second), multiply},
      last - first, start, add);
}
template <class Place, class A, class B, class T, class = IfPolicy<Place>>
__host__ __device__ T inner_product(const Place& place, A first, A last, B second, T start) {
  return thrust::inner_product(place, first, last, second, start, plus<>(), multiplies<>());
}
template <class Place, class In, class Condition, class = IfPolicy<Place>>
__host__ __device__ ptrdiff_t count_if(const Place& place, In first, In last, Condition condition) {
  using Value = iterator_value_t<In>;
  return thrust::transform_reduce(
      place, first, last,
      [=] __host__ __device__(const Value& of) { return condition(of) ? ptrdiff_t(1) : 0; }, ptrdiff_t(0),
      plus<>());
}
template <class Place, class In, class T, class = IfPolicy<Place>>
__host__ __device__ ptrdiff_t count(const Place& place, In first, In last, T value) {
  using Value = iterator_value_t<In>;
  return thrust::count_if(place, first, last,
                          [=] __host__ __device__(const Value& of) { return of == value; });
}
template <class Place, class In, class Condition, class = IfPolicy<Place>>
__host__ __device__ bool all_of(const Place& place, In first, In last, Condition condition) {
  return thrust::count_if(place, first, last, condition) == last - first;
}
template <class Place, class In, class Condition, class = IfPolicy<Place>>
__host__ __device__ bool any_of(const Place& place, In first, In last, Condition condition) {
  return thrust::count_if(place, first, last, condition) > 0;
}
template <class Place, class In, class Condition, class = IfPolicy<Place>>
__host__ __device__ bool none_of(const Place& place, In first, In last, Condition condition) {
  return !thrust::any_of(place, first, last, condition);
}
template <class Place, class A, class B, class = IfPolicy<Place>>
__host__ __device__ bool equal(const Place& place, A first, A last, B second) {
  return thrust::inner_product(place, first, last, second, true, logical_and<>(), equal_to<>());
}

// Compute prefix sums in the type of the input's elements, or in the type of `start` if `start` is given.

template <class Place, class In, class Out, class Operation, class = IfPolicy<Place>>
__host__ __device__ Out inclusive_scan(const Place& place, In first, In last, Out to, Operation operation) {
  using T = iterator_value_t<In>;
  const size_t n = last - first;
  typename Place::template Temporary<T> sums(n);
  place.scan(raw(first), sums.data, n, operation);
  return thrust::copy(place, (const T*)sums.data, (const T*)sums.data + n, to);
}
template <class Place, class In, class Out, class = IfPolicy<Place>>
__host__ __device__ Out inclusive_scan(const Place& place, In first, In last, Out to) {
  return thrust::inclusive_scan(place, first, last, to, plus<>());
}
template <class Place, class In, class Out, class T, class Operation, class = IfPolicy<Place>>
__host__ __device__ Out exclusive_scan(const Place& place, In first, In last, Out to, T start,
                                       Operation operation) {
  const size_t n = last - first;
  typename Place::template Temporary<T> sums(n);
  T* const sum = sums.data;
  place.scan(raw(first), sum, n, operation);
  const auto out = raw(to);
  place.for_each(n, [=] __host__ __device__(size_t i) { out[i] = i ? operation(start, sum[i - 1]) : start; });
  return to + n;
}
template <class Place, class In, class Out, class T, class = IfPolicy<Place>>
__host__ __device__ Out exclusive_scan(const Place& place, In first, In last, Out to, T start) {
  return thrust::exclusive_scan(place, first, last, to, start, plus<>());
}
template <class Place, class In, class Out, class = IfPolicy<Place>>
__host__ __device__ Out exclusive_scan(const Place& place, In first, In last, Out to) {
  return thrust::exclusive_scan(place, first, last, to, iterator_value_t<In>(0), plus<>());
}
template <class Place, class In, class Out, class Function, class Operation, class = IfPolicy<Place>>
__host__ __device__ Out transform_inclusive_scan(const Place& place, In first, In last, Out to,
                                                 Function function, Operation operation) {
  return thrust::inclusive_scan(place, thrust::make_transform_iterator(raw(first), function),
                                thrust::make_transform_iterator(raw(last), function), to, operation);
}
template <class Place, class In, class Out, class = IfPolicy<Place>>
__host__ __device__ Out adjacent_difference(const Place& place, In first, In last, Out to) {
  using T = iterator_value_t<In>;
  const auto in = raw(first);
  const size_t n = last - first;
  typename Place::template Temporary<T> differences(n);
  T* const of = differences.data;
  place.for_each(n, [=] __host__ __device__(size_t i) { of[i] = i ? in[i] - in[i - 1] : in[i]; });
  return thrust::copy(place, (const T*)of, (const T*)of + n, to);
}

HEDDLE_CC_PLACED(for_each_n)
HEDDLE_CC_PLACED(for_each)
HEDDLE_CC_PLACED(tabulate)
HEDDLE_CC_PLACED(fill_n)
HEDDLE_CC_PLACED(fill)
HEDDLE_CC_PLACED(sequence)
HEDDLE_CC_PLACED(generate)
HEDDLE_CC_PLACED(transform)
HEDDLE_CC_PLACED(transform_if)
HEDDLE_CC_PLACED(gather)
HEDDLE_CC_PLACED(scatter)
HEDDLE_CC_PLACED(replace_if)
HEDDLE_CC_PLACED(replace)
HEDDLE_CC_PLACED(reduce)
HEDDLE_CC_PLACED(transform_reduce)
HEDDLE_CC_PLACED(inner_product)
HEDDLE_CC_PLACED(count_if)
HEDDLE_CC_PLACED(count)
HEDDLE_CC_PLACED(all_of)
HEDDLE_CC_PLACED(any_of)
HEDDLE_CC_PLACED(none_of)
HEDDLE_CC_PLACED(equal)
HEDDLE_CC_PLACED(inclusive_scan)
HEDDLE_CC_PLACED(exclusive_scan)
HEDDLE_CC_PLACED(transform_inclusive_scan)
HEDDLE_CC_PLACED(adjacent_difference)

}  // namespace thrust
