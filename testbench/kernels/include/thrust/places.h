// SPDX-License-Identifier: Apache-2.0
// Execution policies of thrust: algorithms run on the device in a stream, on the host, or in the calling
// thread (thrust::seq, also in kernels). Each policy has four primitives, on which all algorithms are built:
// for_each, fold, scan and sort.
#pragma once

#include <algorithm>
#include <vector>

#include "../heddle_cc/parallel.h"
#include "iterators.h"

namespace heddle_cc {

template <class It>
__host__ __device__ It raw(It it) {
  return it;
}
template <class T>
__host__ __device__ T* raw(thrust::device_ptr<T> it) {
  return it.get();
}
template <class F, class Base>
__host__ __device__ auto raw(thrust::transform_iterator<F, Base> it) {
  return thrust::make_transform_iterator(raw(it.base()), it.functor());
}
template <class Base, class Places>
__host__ __device__ auto raw(thrust::permutation_iterator<Base, Places> it) {
  return thrust::make_permutation_iterator(raw(it.base()), raw(it.places()));
}
template <class... Base, size_t... i>
__host__ __device__ auto raw_zip(const thrust::tuple<Base...>& bases, std::index_sequence<i...>) {
  return thrust::make_zip_iterator(thrust::make_tuple(raw(thrust::get<i>(bases))...));
}
template <class... Base>
__host__ __device__ auto raw(thrust::zip_iterator<thrust::tuple<Base...>> it) {
  return raw_zip(it.get_iterator_tuple(), std::index_sequence_for<Base...>());
}

/// True if T is an iterator into device memory.
template <class T>
struct OnDevice : std::false_type {};
template <class T>
struct OnDevice<thrust::device_ptr<T>> : std::true_type {};
template <class F, class Base>
struct OnDevice<thrust::transform_iterator<F, Base>> : OnDevice<Base> {};
template <class Base, class Places>
struct OnDevice<thrust::permutation_iterator<Base, Places>>
    : std::bool_constant<OnDevice<Base>::value || OnDevice<Places>::value> {};
template <class... Base>
struct OnDevice<thrust::zip_iterator<thrust::tuple<Base...>>>
    : std::bool_constant<(OnDevice<Base>::value || ...)> {};

struct Policy {};

}  // namespace heddle_cc

namespace thrust {

struct device_policy : heddle_cc::Policy {
  cudaStream_t stream = nullptr;
  device_policy on(cudaStream_t of) const {
    device_policy made;
    made.stream = of;
    return made;
  }
  /// Ignores the program's allocator, because memory always comes from Heddle.
  template <class Allocator>
  device_policy operator()(const Allocator&) const {
    return *this;
  }

  template <class Function>
  void for_each(size_t n, Function function) const {
    heddle_cc::parallel::for_each(n, function, stream);
  }
  /// Returns the combination of first, in[0], .. in[n - 1]. Waits for the result.
  template <class T, class In, class Operation>
  T fold(In in, size_t n, T first, Operation operation) const {
    if (!n) return first;
    heddle_cc::parallel::Temporary<T> sum(1);
    heddle_cc::parallel::fold<T>(in, sum.data, n, operation, stream);
    T* const result = sum.data;
    for_each(1, [=] __host__ __device__(size_t) { *result = operation(first, *result); });
    return copied(result);
  }
  /// Returns the combination of in[0], .. in[n - 1]; n > 0.
  template <class T, class In, class Operation>
  T fold_some(In in, size_t n, Operation operation) const {
    heddle_cc::parallel::Temporary<T> sum(1);
    heddle_cc::parallel::fold<T>(in, sum.data, n, operation, stream);
    return copied(sum.data);
  }
  template <class T, class In, class Operation>
  void scan(In in, T* out, size_t n, Operation operation) const {
    heddle_cc::parallel::scan(in, out, n, operation, stream);
  }
  template <class Key, class Value, class Less>
  void sort(Key* keys, Value* values, size_t n, Less less) const {
    heddle_cc::parallel::sort(keys, values, n, less, stream);
  }
  template <class T>
  using Temporary = heddle_cc::parallel::Temporary<T>;
  template <class T>
  T copied(const T* at) const {
    alignas(T) unsigned char bytes[sizeof(T)];
    cudaMemcpyAsync(bytes, (const void*)at, sizeof(T), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return *(T*)bytes;
  }
};

struct host_policy : heddle_cc::Policy {
  template <class Function>
  __host__ __device__ void for_each(size_t n, Function function) const {
    for (size_t i = 0; i < n; ++i) function(i);
  }
  template <class T, class In, class Operation>
  __host__ __device__ T fold(In in, size_t n, T first, Operation operation) const {
    for (size_t i = 0; i < n; ++i) first = operation(first, (T)in[i]);
    return first;
  }
  template <class T, class In, class Operation>
  __host__ __device__ T fold_some(In in, size_t n, Operation operation) const {
    return fold<T>(in + 1, n - 1, (T)in[0], operation);
  }
  template <class T, class In, class Operation>
  __host__ __device__ void scan(In in, T* out, size_t n, Operation operation) const {
    for (size_t i = 0; i < n; ++i) out[i] = i ? operation(out[i - 1], (T)in[i]) : (T)in[i];
  }
  /// Sorts. If called on the device, uses insertion sort.
  template <class Key, class Value, class Less>
  __host__ __device__ void sort(Key* keys, Value* values, size_t n, Less less) const {
    constexpr bool with_values = !std::is_same<Value, heddle_cc::parallel::Nothing>::value;
#ifdef __CUDA_ARCH__
    for (size_t i = 1; i < n; ++i) {
      for (size_t k = i; k > 0 && less(keys[k], keys[k - 1]); --k) {
        const Key key = keys[k];
        keys[k] = keys[k - 1];
        keys[k - 1] = key;
        if constexpr (with_values) {
          const Value value = values[k];
          values[k] = values[k - 1];
          values[k - 1] = value;
        }
      }
    }
#else
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return less(keys[a], keys[b]); });
    const std::vector<Key> old(keys, keys + n);
    for (size_t i = 0; i < n; ++i) keys[i] = old[order[i]];
    if constexpr (with_values) {
      const std::vector<Value> old_values(values, values + n);
      for (size_t i = 0; i < n; ++i) values[i] = old_values[order[i]];
    }
#endif
  }
  template <class T>
  struct Temporary {
    __host__ __device__ explicit Temporary(size_t n) : data((T*)malloc(n * sizeof(T) + 1)) {}
    __host__ __device__ ~Temporary() { free(data); }
    T* data;
  };
  template <class T>
  __host__ __device__ T copied(const T* at) const {
    return *at;
  }
};

constexpr device_policy device{};
constexpr host_policy host{};
constexpr host_policy seq{};
namespace cuda {
constexpr device_policy par{};
constexpr device_policy par_nosync{};
}  // namespace cuda

}  // namespace thrust

namespace heddle_cc {

template <class T>
using IfPolicy = typename std::enable_if<std::is_base_of<Policy, T>::value>::type;
template <class T>
using IfNoPolicy = typename std::enable_if<!std::is_base_of<Policy, T>::value>::type;

/// Returns the policy for an algorithm that is called without a policy: the device, if any argument is a device
/// iterator.
template <class... T>
__host__ __device__ auto place_of() {
  if constexpr ((OnDevice<T>::value || ...)) {
    return thrust::device_policy();
  } else {
    return thrust::host_policy();
  }
}

}  // namespace heddle_cc

/// Defines an algorithm's overload without a policy argument.
#define HEDDLE_CC_PLACED(name)                                                  \
  template <class First, class... More, class = heddle_cc::IfNoPolicy<First>>   \
  __host__ __device__ auto name(First first, More... more) {                    \
    return thrust::name(heddle_cc::place_of<First, More...>(), first, more...); \
  }
