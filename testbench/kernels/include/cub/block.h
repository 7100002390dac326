// SPDX-License-Identifier: Apache-2.0
// cub's collectives of a block (CUB's documentation, "Block-wide primitives"). Each class uses its own shared
// memory, or memory that the program passes. As with cub, the program needs a barrier between two uses of the
// same memory. Every reduction uses the order of CUB's BLOCK_REDUCE_WARP_REDUCTIONS, even if the program
// names another algorithm: each warp reduces by halves, then the results of the warps are combined one after
// the other.
#pragma once

#include "warp.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

}  // namespace cub

namespace heddle_cc {

/// The shape of a block of x * y * z threads.
template <int x, int y, int z>
struct BlockShape {
  static constexpr int threads = x * y * z, warps = (threads + 31) / 32;
  static __device__ int thread() {
    return threadIdx.x + (y == 1 && z == 1 ? 0 : x * (threadIdx.y + y * threadIdx.z));
  }
  /// Returns the number of threads in the warp of `thread`: 32, or fewer in the block's last warp.
  static __device__ int lanes(int thread) {
    const int left = threads - thread / 32 * 32;
    return left < 32 ? left : 32;
  }
};

/// Shared memory for values that have constructors.
template <class T, int count>
struct SharedValues {
  alignas(T) unsigned char bytes[sizeof(T) * count];
  __device__ T& operator[](int i) { return ((T*)bytes)[i]; }
};

}  // namespace heddle_cc

namespace cub {

/// Reduces over a block. Thread 0 has the result. Each thread first reduces its own array.
template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0>
class BlockReduce {
  using Shape = heddle_cc::BlockShape<x, y, z>;

 public:
  struct TempStorage {
    heddle_cc::SharedValues<T, Shape::warps> of_warps;
  };
  __device__ BlockReduce() : storage_(own()) {}
  __device__ explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  /// Reduces the values of the first `count` threads.
  template <class Operation>
  __device__ T Reduce(T value, Operation operation, int count = Shape::threads) {
    const int thread = Shape::thread(), warp = thread / 32, lanes = Shape::lanes(thread);
    const int left = count - warp * 32, valid = left < lanes ? left : lanes;
    value =
        heddle_cc::fold_segment(value, operation, thread % 32, valid, 32, heddle_cc::segment_mask(32, lanes));
    if (thread % 32 == 0) new (&storage_.of_warps[warp]) T(value);
    __syncthreads();
    if (thread == 0)
      for (int i = 1; i < Shape::warps; ++i)
        if (i * 32 < count) value = operation(value, storage_.of_warps[i]);
    return value;
  }
  template <int items, class Operation>
  __device__ T Reduce(T (&values)[items], Operation operation) {
    T value = values[0];
#pragma unroll
    for (int i = 1; i < items; ++i) value = operation(value, values[i]);
    return Reduce(value, operation);
  }
  __device__ T Sum(T value, int count = Shape::threads) { return Reduce(value, cub::Sum(), count); }
  template <int items>
  __device__ T Sum(T (&values)[items]) {
    return Reduce(values, cub::Sum());
  }

 private:
  static __device__ TempStorage& own() {
    __shared__ TempStorage storage;
    return storage;
  }
  TempStorage& storage_;
};

template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
class BlockScan {
  using Shape = heddle_cc::BlockShape<x, y, z>;

 public:
  struct TempStorage {
    heddle_cc::SharedValues<T, Shape::warps + 1> of_warps;
  };
  __device__ BlockScan() : storage_(own()) {}
  __device__ explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  template <class Operation>
  __device__ void InclusiveScan(T in, T& out, Operation operation, T& all) {
    T before;
    scan(in, out, before, all, operation);
  }
  template <class Operation>
  __device__ void InclusiveScan(T in, T& out, Operation operation) {
    T all;
    InclusiveScan(in, out, operation, all);
  }
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, T first, Operation operation, T& all) {
    T sum, before;
    scan(in, sum, before, all, operation);
    out = Shape::thread() ? operation(first, before) : first;
  }
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, T first, Operation operation) {
    T all;
    ExclusiveScan(in, out, first, operation, all);
  }
  /// Scans without a first value. The result of thread 0 is not defined.
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, Operation operation) {
    T sum, all;
    scan(in, sum, out, all, operation);
  }
  /// Scans, starting with the value of prefix(all), which the first warp calls; `all` is the combination of all values of this
  /// block. `prefix` returns the combination of all values before this block. Only the value that it returns in thread 0 is used.
  template <class Operation, class Prefix>
  __device__ void InclusiveScan(T in, T& out, Operation operation, Prefix& prefix) {
    T sum, before, all;
    scan(in, sum, before, all, operation);
    out = operation(told(prefix, all), sum);
  }
  template <class Operation, class Prefix>
  __device__ void ExclusiveScan(T in, T& out, Operation operation, Prefix& prefix) {
    T sum, before, all;
    scan(in, sum, before, all, operation);
    const T first = told(prefix, all);
    out = Shape::thread() ? operation(first, before) : first;
  }

  __device__ void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  __device__ void InclusiveSum(T in, T& out, T& all) { InclusiveScan(in, out, cub::Sum(), all); }
  template <class Prefix>
  __device__ void InclusiveSum(T in, T& out, Prefix& prefix) {
    InclusiveScan(in, out, cub::Sum(), prefix);
  }
  __device__ void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T& out, T& all) { ExclusiveScan(in, out, T(), cub::Sum(), all); }
  template <class Prefix>
  __device__ void ExclusiveSum(T in, T& out, Prefix& prefix) {
    ExclusiveScan(in, out, cub::Sum(), prefix);
  }

  // Scans an array of `items` values per thread: first all values of thread 0, then those of thread 1, and so on.
  template <int items, class Operation>
  __device__ void InclusiveScan(T (&in)[items], T (&out)[items], Operation operation, T& all) {
    const T own_sum = fold(in, operation);
    T sum, before;
    scan(own_sum, sum, before, all, operation);
    T value = Shape::thread() ? operation(before, in[0]) : in[0];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      if (i) value = operation(value, in[i]);
      out[i] = value;
    }
  }
  template <int items, class Operation>
  __device__ void InclusiveScan(T (&in)[items], T (&out)[items], Operation operation) {
    T all;
    InclusiveScan(in, out, operation, all);
  }
  template <int items, class Operation>
  __device__ void ExclusiveScan(T (&in)[items], T (&out)[items], T first, Operation operation, T& all) {
    T before;
    ExclusiveScan(fold(in, operation), before, first, operation, all);
#pragma unroll
    for (int i = 0; i < items; ++i) {
      const T next = operation(before, in[i]);
      out[i] = before;
      before = next;
    }
  }
  template <int items, class Operation>
  __device__ void ExclusiveScan(T (&in)[items], T (&out)[items], T first, Operation operation) {
    T all;
    ExclusiveScan(in, out, first, operation, all);
  }
  template <int items, class Operation, class Prefix>
  __device__ void InclusiveScan(T (&in)[items], T (&out)[items], Operation operation, Prefix& prefix) {
    T value;
    ExclusiveScan(fold(in, operation), value, operation, prefix);
#pragma unroll
    for (int i = 0; i < items; ++i) out[i] = value = operation(value, in[i]);
  }
  template <int items>
  __device__ void InclusiveSum(T (&in)[items], T (&out)[items]) {
    InclusiveScan(in, out, cub::Sum());
  }
  template <int items>
  __device__ void InclusiveSum(T (&in)[items], T (&out)[items], T& all) {
    InclusiveScan(in, out, cub::Sum(), all);
  }
  template <int items>
  __device__ void ExclusiveSum(T (&in)[items], T (&out)[items]) {
    ExclusiveScan(in, out, T(), cub::Sum());
  }
  template <int items>
  __device__ void ExclusiveSum(T (&in)[items], T (&out)[items], T& all) {
    ExclusiveScan(in, out, T(), cub::Sum(), all);
  }

 private:
  static __device__ TempStorage& own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <int items, class Operation>
  static __device__ T fold(T (&in)[items], Operation operation) {
    T value = in[0];
#pragma unroll
    for (int i = 1; i < items; ++i) value = operation(value, in[i]);
    return value;
  }
  /// Combinations of values. `sum`: of all threads up to and including this thread. `before`: of all threads before
  /// this thread (not set for thread 0). `all`: of all threads of the block.
  template <class Operation>
  __device__ void scan(T in, T& sum, T& before, T& all, Operation operation) {
    const int thread = Shape::thread(), warp = thread / 32, lane = thread % 32, lanes = Shape::lanes(thread);
    const unsigned mask = heddle_cc::segment_mask(32, lanes);
    sum = heddle_cc::scan_segment(in, operation, lane, 32, mask);
    before = heddle_cc::shuffle_words(sum, [=](int word) { return __shfl_up_sync(mask, word, 1); });
    if (lane == lanes - 1) new (&storage_.of_warps[warp]) T(sum);
    __syncthreads();
    T value = storage_.of_warps[0];
    for (int i = 1; i <= Shape::warps; ++i) {
      if (i == warp) {
        before = lane ? operation(value, before) : value;
        sum = operation(value, sum);
      }
      if (i < Shape::warps) value = operation(value, storage_.of_warps[i]);
    }
    all = value;
  }
  template <class Prefix>
  __device__ T told(Prefix& prefix, const T& all) {
    if (Shape::thread() < 32) {
      const T answer = prefix(all);
      if (Shape::thread() == 0) new (&storage_.of_warps[Shape::warps]) T(answer);
    }
    __syncthreads();
    return storage_.of_warps[Shape::warps];
  }
  TempStorage& storage_;
};

}  // namespace cub
