// SPDX-License-Identifier: Apache-2.0
// cub's calls of the device (CUB's documentation, "Device-wide primitives"): reductions, scans, selections
// and sorts. If `storage` is null, a call only sets `bytes` to the size that it needs: 1, because each call
// allocates its own memory (heddle_cc/parallel.h). Sorts compare keys. They are stable, like cub's sorts by
// digits.
#pragma once

#include "../heddle_cc/parallel.h"
#include "operators.h"

namespace heddle_cc {

/// Returns true if this call only queries the size of the temporary storage.
inline bool asks_for_size(void* storage, size_t& bytes) {
  if (!storage) bytes = 1;
  return !storage;
}
template <class Out>
using ValueOr = typename std::iterator_traits<Out>::value_type;

}  // namespace heddle_cc

namespace cub {

struct DeviceReduce {
  /// Sets *out to the reduction of first, in[0], .. in[n - 1].
  template <class In, class Out, class Operation, class T>
  static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, size_t n, Operation operation,
                            T first, cudaStream_t stream = nullptr, bool = false) {
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    heddle_cc::parallel::Temporary<T> sum(1);
    if (n) heddle_cc::parallel::fold<T>(in, sum.data, n, operation, stream);
    const T* const result = sum.data;
    heddle_cc::parallel::for_each(
        1, [=] __device__(size_t) { out[0] = n ? operation(first, *result) : first; }, stream);
    return cudaPeekAtLastError();
  }
  template <class In, class Out>
  static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, size_t n,
                         cudaStream_t stream = nullptr, bool = false) {
    using T = heddle_cc::ValueOr<In>;
    return Reduce(storage, bytes, in, out, n, cub::Sum(), T(), stream);
  }
  template <class In, class Out>
  static cudaError_t Max(void* storage, size_t& bytes, In in, Out out, size_t n,
                         cudaStream_t stream = nullptr, bool = false) {
    return extreme(storage, bytes, in, out, n, cub::Max(), stream);
  }
  template <class In, class Out>
  static cudaError_t Min(void* storage, size_t& bytes, In in, Out out, size_t n,
                         cudaStream_t stream = nullptr, bool = false) {
    return extreme(storage, bytes, in, out, n, cub::Min(), stream);
  }

 private:
  template <class In, class Out, class Operation>  // n > 0
  static cudaError_t extreme(void* storage, size_t& bytes, In in, Out out, size_t n, Operation operation,
                             cudaStream_t stream) {
    using T = heddle_cc::ValueOr<In>;
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    heddle_cc::parallel::Temporary<T> value(1);
    heddle_cc::parallel::fold<T>(in, value.data, n, operation, stream);
    const T* const result = value.data;
    heddle_cc::parallel::for_each(
        1, [=] __device__(size_t) { out[0] = *result; }, stream);
    return cudaPeekAtLastError();
  }
};

struct DeviceScan {
  template <class In, class Out, class Operation>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, In in, Out out, Operation operation,
                                   size_t n, cudaStream_t stream = nullptr, bool = false) {
    using T = heddle_cc::ValueOr<In>;
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    heddle_cc::parallel::Temporary<T> sums(n);
    const T* const sum = sums.data;
    heddle_cc::parallel::scan(in, sums.data, n, operation, stream);
    heddle_cc::parallel::for_each(
        n, [=] __device__(size_t i) { out[i] = sum[i]; }, stream);
    return cudaPeekAtLastError();
  }
  /// Writes prefix sums that begin with `first` and have its type.
  template <class In, class Out, class Operation, class T>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, In in, Out out, Operation operation, T first,
                                   size_t n, cudaStream_t stream = nullptr, bool = false) {
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    heddle_cc::parallel::Temporary<T> sums(n);
    const T* const sum = sums.data;
    heddle_cc::parallel::scan(in, sums.data, n, operation, stream);
    heddle_cc::parallel::for_each(
        n, [=] __device__(size_t i) { out[i] = i ? operation(first, sum[i - 1]) : first; }, stream);
    return cudaPeekAtLastError();
  }
  template <class In, class Out>
  static cudaError_t InclusiveSum(void* storage, size_t& bytes, In in, Out out, size_t n,
                                  cudaStream_t stream = nullptr, bool = false) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), n, stream);
  }
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void* storage, size_t& bytes, In in, Out out, size_t n,
                                  cudaStream_t stream = nullptr, bool = false) {
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), heddle_cc::ValueOr<In>(), n, stream);
  }
};

/// Writes the selected elements in the order of the input, and the number of selected elements.
struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static cudaError_t Flagged(void* storage, size_t& bytes, In in, Flags flags, Out out, Count count, size_t n,
                             cudaStream_t stream = nullptr, bool = false) {
    return select(
        storage, bytes, in, out, count, n, [=] __device__(size_t i) -> bool { return flags[i]; }, stream);
  }
  template <class In, class Out, class Count, class Condition>
  static cudaError_t If(void* storage, size_t& bytes, In in, Out out, Count count, size_t n,
                        Condition condition, cudaStream_t stream = nullptr, bool = false) {
    return select(
        storage, bytes, in, out, count, n, [=] __device__(size_t i) -> bool { return condition(in[i]); },
        stream);
  }
  /// Selects the first element of each run of equal values.
  template <class In, class Out, class Count>
  static cudaError_t Unique(void* storage, size_t& bytes, In in, Out out, Count count, size_t n,
                            cudaStream_t stream = nullptr, bool = false) {
    return select(
        storage, bytes, in, out, count, n,
        [=] __device__(size_t i) -> bool { return !i || !(in[i] == in[i - 1]); }, stream);
  }

 private:
  template <class In, class Out, class Count, class Flagged>
  static cudaError_t select(void* storage, size_t& bytes, In in, Out out, Count count, size_t n,
                            Flagged flagged, cudaStream_t stream) {
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    heddle_cc::parallel::select(
        n, flagged, [=] __device__(size_t from, size_t to) { out[to] = in[from]; }, &*count, stream);
    return cudaPeekAtLastError();
  }
};

/// Sorts by whole keys. If a program names a range of bits, the keys must not differ in other bits.
struct DeviceRadixSort {
  template <class Key, class Value>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const Key* keys, Key* keys_out,
                               const Value* values, Value* values_out, size_t n, int = 0,
                               int = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys, keys_out, values, values_out, n, Ascending(), stream);
  }
  template <class Key, class Value>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const Key* keys, Key* keys_out,
                                         const Value* values, Value* values_out, size_t n, int = 0,
                                         int = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys, keys_out, values, values_out, n, Descending(), stream);
  }
  template <class Key>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const Key* keys, Key* keys_out, size_t n, int = 0,
                              int = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys, keys_out, no_values(), no_values(), n, Ascending(), stream);
  }
  template <class Key>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const Key* keys, Key* keys_out,
                                        size_t n, int = 0, int = sizeof(Key) * 8,
                                        cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys, keys_out, no_values(), no_values(), n, Descending(), stream);
  }
  // Sorts within the current buffers; `selector`, which chooses the current buffer, does not change.
  template <class Key, class Value>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, size_t n, int = 0, int = sizeof(Key) * 8,
                               cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys.Current(), keys.Current(), values.Current(), values.Current(), n,
                 Ascending(), stream);
  }
  template <class Key>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<Key>& keys, size_t n, int = 0,
                              int = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {
    return pairs(storage, bytes, keys.Current(), keys.Current(), no_values(), no_values(), n, Ascending(),
                 stream);
  }

 private:
  struct Ascending {
    template <class T>
    __host__ __device__ bool operator()(const T& a, const T& b) const {
      return a < b;
    }
  };
  struct Descending {
    template <class T>
    __host__ __device__ bool operator()(const T& a, const T& b) const {
      return b < a;
    }
  };
  static heddle_cc::parallel::Nothing* no_values() { return nullptr; }
  template <class Key, class Value, class Less>
  static cudaError_t pairs(void* storage, size_t& bytes, const Key* keys, Key* keys_out, const Value* values,
                           Value* values_out, size_t n, Less less, cudaStream_t stream) {
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    if (keys != keys_out) cudaMemcpyAsync(keys_out, keys, n * sizeof(Key), cudaMemcpyDeviceToDevice, stream);
    if (values != values_out)
      cudaMemcpyAsync(values_out, values, n * sizeof(Value), cudaMemcpyDeviceToDevice, stream);
    heddle_cc::parallel::sort(keys_out, values_out, n, less, stream);
    return cudaPeekAtLastError();
  }
};

}  // namespace cub
