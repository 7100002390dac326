// SPDX-License-Identifier: Apache-2.0
// Primitives for cub's device-wide calls and thrust's algorithms: kernels that apply a function to each of n
// elements, reduce and scan them from left to right (the operation need not commute), and sort them stably by
// merging. Elements are read through iterators of the device. A call allocates and frees the temporary memory
// that it needs.
#pragma once

#include <iterator>

#include "../../heddle_cc.h"

namespace heddle_cc {
namespace parallel {

constexpr int kThreads = 256;

inline unsigned blocks_of(size_t n) { return (unsigned)((n + kThreads - 1) / kThreads); }
__device__ inline size_t place() { return blockIdx.x * (size_t)kThreads + threadIdx.x; }

/// An array of n values in device memory, which the destructor frees.
template <class T>
struct Temporary {
  explicit Temporary(size_t n) { cudaMalloc((void**)&data, n * sizeof(T) + 1); }
  ~Temporary() { cudaFree(data); }
  Temporary(const Temporary&) = delete;
  T* data = nullptr;
};

template <class Function>
__global__ void each(size_t n, Function function) {
  if (place() < n) function(place());
}
/// Calls function(i) for each i below n in parallel.
template <class Function>
void for_each(size_t n, Function function, cudaStream_t stream) {
  if (n) each<<<blocks_of(n), kThreads, 0, stream>>>(n, function);
}

/// Scans the first `count` threads of a block: each receives the combination of the values of all earlier
/// threads and its own value.
template <class T, class Operation>
__device__ T scan_block(T mine, int count, T* room, Operation operation) {
  const int thread = threadIdx.x;
  if (thread < count) new (room + thread) T(mine);
  __syncthreads();
  for (int reach = 1; reach < kThreads; reach *= 2) {
    const bool adds = thread >= reach && thread < count;
    if (adds) mine = operation(room[thread - reach], mine);
    __syncthreads();
    if (adds) room[thread] = mine;
    __syncthreads();
  }
  return mine;
}

template <class T, class In, class Operation>
__global__ void scan_blocks(In in, T* out, T* sums, size_t n, Operation operation) {
  alignas(T) __shared__ unsigned char room[sizeof(T) * kThreads];
  const size_t first = blockIdx.x * (size_t)kThreads, left = n - first, at = first + threadIdx.x;
  const int count = left < kThreads ? (int)left : kThreads;
  const T sum = scan_block<T>(in[at < n ? at : first], count, (T*)room, operation);
  if (at < n) new (out + at) T(sum);
  if ((int)threadIdx.x == count - 1) new (sums + blockIdx.x) T(sum);
}
/// Sets out[i] to the combination of in[0] .. in[i] from the left.
template <class T, class In, class Operation>
void scan(In in, T* out, size_t n, Operation operation, cudaStream_t stream) {
  if (!n) return;
  const unsigned blocks = blocks_of(n);
  Temporary<T> sums(blocks);
  scan_blocks<T><<<blocks, kThreads, 0, stream>>>(in, out, sums.data, n, operation);
  if (blocks == 1) return;
  Temporary<T> before(blocks);
  scan(sums.data, before.data, blocks, operation, stream);
  const T* const prefix = before.data;
  for_each(
      n - kThreads,
      [=] __device__(size_t i) {
        T& value = out[i + kThreads];
        value = operation(prefix[i / kThreads], value);
      },
      stream);
}

constexpr int kFolded = 8;  // values that each thread reduces by itself

template <class T, class In, class Operation>
__global__ void fold_blocks(In in, T* out, size_t n, Operation operation) {
  alignas(T) __shared__ unsigned char room[sizeof(T) * kThreads];
  const size_t first = blockIdx.x * (size_t)kThreads, threads = (n + kFolded - 1) / kFolded,
               left = threads - first;
  const int count = left < kThreads ? (int)left : kThreads;
  size_t at = ((int)threadIdx.x < count ? first + threadIdx.x : first) * kFolded;
  const size_t end = at + kFolded < n ? at + kFolded : n;
  T mine = in[at];
  while (++at < end) mine = operation(mine, (T)in[at]);
  mine = scan_block<T>(mine, count, (T*)room, operation);
  if ((int)threadIdx.x == count - 1) new (out + blockIdx.x) T(mine);
}
/// Sets *out to the combination of in[0] .. in[n - 1] from the left; n > 0.
template <class T, class In, class Operation>
void fold(In in, T* out, size_t n, Operation operation, cudaStream_t stream) {
  const unsigned blocks = blocks_of((n + kFolded - 1) / kFolded);
  if (blocks == 1) {
    fold_blocks<T><<<1, kThreads, 0, stream>>>(in, out, n, operation);
    return;
  }
  Temporary<T> sums(blocks);
  fold_blocks<T><<<blocks, kThreads, 0, stream>>>(in, sums.data, n, operation);
  fold(sums.data, out, blocks, operation, stream);
}

struct Nothing {};  // value type in a sort of keys without values

/// One step of a merge sort: merges pairs of neighbouring runs of `width` keys. A key's new position is its position in
/// its own run, plus the number of keys in the partner run that precede this key. Of equal keys, those of the first run
/// come first.
template <class Key, class Value, class Less>
__global__ void merge_runs(const Key* keys, const Value* values, Key* keys_out, Value* values_out, size_t n,
                           size_t width, Less less) {
  const size_t at = place();
  if (at >= n) return;
  const size_t pair = at / (2 * width) * (2 * width);
  const bool second = at - pair >= width;
  const size_t begin = second ? pair : pair + width < n ? pair + width : n;
  const size_t most = begin + width < n ? begin + width : n;
  const Key key = keys[at];
  size_t low = begin, high = most;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const bool before = second ? !less(key, keys[middle]) : less(keys[middle], key);
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const size_t to = pair + (at - (second ? pair + width : pair)) + (low - begin);
  new (keys_out + to) Key(key);
  if constexpr (!std::is_same<Value, Nothing>::value) new (values_out + to) Value(values[at]);
}
/// Sorts n keys by `less`; equal keys keep their order. Moves the values with their keys, unless Value is Nothing.
template <class Key, class Value, class Less>
void sort(Key* keys, Value* values, size_t n, Less less, cudaStream_t stream) {
  constexpr bool with_values = !std::is_same<Value, Nothing>::value;
  Temporary<Key> other_keys(n);
  Temporary<Value> other_values(with_values ? n : 0);
  Key *from = keys, *to = other_keys.data;
  Value *values_from = values, *values_to = other_values.data;
  for (size_t width = 1; width < n; width *= 2) {
    merge_runs<<<blocks_of(n), kThreads, 0, stream>>>(from, values_from, to, values_to, n, width, less);
    std::swap(from, to);
    std::swap(values_from, values_to);
  }
  if (from == keys) return;
  cudaMemcpyAsync((void*)keys, (void*)from, n * sizeof(Key), cudaMemcpyDeviceToDevice, stream);
  if (with_values)
    cudaMemcpyAsync((void*)values, (void*)values_from, n * sizeof(Value), cudaMemcpyDeviceToDevice, stream);
}

struct Plus {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

/// Calls put(from, to) in parallel for each `from` below n with flagged(from) true; `to` is the number of
/// lower indices with flagged() true. Writes the number of these calls to *count, unless `count` is null.
template <class Flagged, class Put, class Count>
void select(size_t n, Flagged flagged, Put put, Count* count, cudaStream_t stream) {
  Temporary<unsigned long long> places(n);
  unsigned long long* const to = places.data;
  for_each(
      n, [=] __device__(size_t i) { to[i] = flagged(i) ? 1 : 0; }, stream);
  scan((const unsigned long long*)to, to, n, Plus(), stream);
  for_each(
      n,
      [=] __device__(size_t i) {
        const unsigned long long before = i ? to[i - 1] : 0;
        if (to[i] != before) put(i, (size_t)before);
        if (count && i == n - 1) *count = (Count)to[i];
      },
      stream);
  if (count && !n) cudaMemsetAsync((void*)count, 0, sizeof(Count), stream);
}

}  // namespace parallel
}  // namespace heddle_cc
