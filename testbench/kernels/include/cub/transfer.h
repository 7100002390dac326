// SPDX-License-Identifier: Apache-2.0
// cub's loads, stores and exchanges of a block: `items` values per thread, in one of two orders. Blocked: a
// thread's values are neighbours. Striped: value i of thread t is at t + i * threads.
#pragma once

#include "block.h"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

/// Index of a thread's value i among all values of the block.
#define HEDDLE_CC_AT(thread, i) (striped ? (thread) + (i)*Shape::threads : (thread)*items + (i))

template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1,
          int = 0>
class BlockLoad {
  using Shape = heddle_cc::BlockShape<x, y, z>;
  static constexpr bool striped = algorithm == BLOCK_LOAD_STRIPED;

 public:
  struct TempStorage {};
  __device__ BlockLoad() {}
  __device__ explicit BlockLoad(TempStorage&) {}
  template <class In>
  __device__ void Load(In in, T (&values)[items]) {
#pragma unroll
    for (int i = 0; i < items; ++i) values[i] = in[HEDDLE_CC_AT(Shape::thread(), i)];
  }
  /// Loads the first `count` values; the others stay unchanged.
  template <class In>
  __device__ void Load(In in, T (&values)[items], int count) {
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (HEDDLE_CC_AT(Shape::thread(), i) < count) values[i] = in[HEDDLE_CC_AT(Shape::thread(), i)];
  }
  /// Loads the first `count` values; the others become `value`.
  template <class In, class Value>
  __device__ void Load(In in, T (&values)[items], int count, Value value) {
#pragma unroll
    for (int i = 0; i < items; ++i) values[i] = value;
    Load(in, values, count);
  }
};

template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1,
          int = 0>
class BlockStore {
  using Shape = heddle_cc::BlockShape<x, y, z>;
  static constexpr bool striped = algorithm == BLOCK_STORE_STRIPED;

 public:
  struct TempStorage {};
  __device__ BlockStore() {}
  __device__ explicit BlockStore(TempStorage&) {}
  /// Stores the first `count` values of the block.
  template <class Out>
  __device__ void Store(Out out, T (&values)[items], int count = Shape::threads * items) {
#pragma unroll
    for (int i = 0; i < items; ++i)
      if (HEDDLE_CC_AT(Shape::thread(), i) < count) out[HEDDLE_CC_AT(Shape::thread(), i)] = values[i];
  }
};

template <class T, int x, int items, bool = false, int y = 1, int z = 1, int = 0>
class BlockExchange {
  using Shape = heddle_cc::BlockShape<x, y, z>;

 public:
  struct TempStorage {
    heddle_cc::SharedValues<T, Shape::threads * items> values;
  };
  __device__ explicit BlockExchange(TempStorage& storage) : storage_(storage) {}
  __device__ void StripedToBlocked(T (&in)[items], T (&out)[items]) { exchange<true>(in, out); }
  __device__ void BlockedToStriped(T (&in)[items], T (&out)[items]) { exchange<false>(in, out); }
  __device__ void StripedToBlocked(T (&values)[items]) { exchange<true>(values, values); }
  __device__ void BlockedToStriped(T (&values)[items]) { exchange<false>(values, values); }

 private:
  template <bool from_striped>
  __device__ void exchange(T (&in)[items], T (&out)[items]) {
    const int thread = Shape::thread();
    {
      constexpr bool striped = from_striped;
#pragma unroll
      for (int i = 0; i < items; ++i) new (&storage_.values[HEDDLE_CC_AT(thread, i)]) T(in[i]);
    }
    __syncthreads();
    constexpr bool striped = !from_striped;
#pragma unroll
    for (int i = 0; i < items; ++i) out[i] = storage_.values[HEDDLE_CC_AT(thread, i)];
  }
  TempStorage& storage_;
};
#undef HEDDLE_CC_AT

// Functions for the thread with index `thread` in a block of `threads` threads.
template <int threads, class T, int items, class In>
__device__ void LoadDirectStriped(int thread, In in, T (&values)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) values[i] = in[thread + i * threads];
}
template <int threads, class T, int items, class Out>
__device__ void StoreDirectStriped(int thread, Out out, T (&values)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) out[thread + i * threads] = values[i];
}
template <class T, int items, class In>
__device__ void LoadDirectBlocked(int thread, In in, T (&values)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) values[i] = in[thread * items + i];
}
template <class T, int items, class Out>
__device__ void StoreDirectBlocked(int thread, Out out, T (&values)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) out[thread * items + i] = values[i];
}

}  // namespace cub
