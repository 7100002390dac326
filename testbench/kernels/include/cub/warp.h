// SPDX-License-Identifier: Apache-2.0
// cub's collectives of a warp (CUB's documentation, "Warp-wide primitives"): reductions and scans of values
// of any type.
#pragma once

#include <string.h>

#include "operators.h"

namespace heddle_cc {

/// Calls shuffle(word) for each 4 bytes of a value.
template <class T, class Shuffle>
HEDDLE_CC_FUNCTION T shuffle_words(const T& value, Shuffle shuffle) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int in[words] = {};
  memcpy(in, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) in[i] = shuffle(in[i]);
  union Result {
    T value;
    __device__ Result() {}
    __device__ ~Result() {}
  } result;
  memcpy((void*)&result.value, in, sizeof(T));
  return result.value;
}

/// Returns the mask of the lanes in this lane's segment. A segment has `width` lanes, the warp `lanes` lanes.
HEDDLE_CC_FUNCTION unsigned segment_mask(int width, int lanes) {
  const unsigned there = lanes >= 32 ? ~0u : (1u << lanes) - 1;
  if (width >= 32) return there;
  const int first =
      (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32 / width * width;
  return (((1u << width) - 1) << first) & there;
}

/// Reduces the values of lanes 0 to count - 1 of a segment by halves. Lane 0 has the result.
template <class T, class Operation>
HEDDLE_CC_FUNCTION T fold_segment(T value, Operation operation, int lane, int count, int width,
                                  unsigned mask) {
#pragma unroll
  for (int reach = 1; reach < width; reach *= 2) {
    const T other =
        shuffle_words(value, [=](int word) { return __shfl_down_sync(mask, word, reach, width); });
    if (lane + reach < count) value = operation(value, other);
  }
  return value;
}
/// Returns the combination of the values of this lane and of all lower lanes of the lane's segment.
template <class T, class Operation>
HEDDLE_CC_FUNCTION T scan_segment(T value, Operation operation, int lane, int width, unsigned mask) {
#pragma unroll
  for (int reach = 1; reach < width; reach *= 2) {
    const T other = shuffle_words(value, [=](int word) { return __shfl_up_sync(mask, word, reach, width); });
    if (lane >= reach) value = operation(other, value);
  }
  return value;
}

}  // namespace heddle_cc

namespace cub {

/// Reduces the first `width` lanes, or each segment of this width. Lane 0 of the segment has the result.
template <class T, int width = 32, int = 0>
class WarpReduce {
  static_assert(width >= 1 && width <= 32 && (width & (width - 1)) == 0,
                "segments of 1, 2, 4, 8, 16 or 32 lanes");

 public:
  struct TempStorage {};
  __device__ explicit WarpReduce(TempStorage&) {}
  template <class Operation>
  __device__ T Reduce(T value, Operation operation, int count = width) {
    const int lane = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % width;
    return heddle_cc::fold_segment(value, operation, lane, count, width, heddle_cc::segment_mask(width, 32));
  }
  __device__ T Sum(T value, int count = width) { return Reduce(value, cub::Sum(), count); }
};

/// Computes prefix sums in each segment of `width` lanes.
template <class T, int width = 32, int = 0>
class WarpScan {
  static_assert(width >= 1 && width <= 32 && (width & (width - 1)) == 0,
                "segments of 1, 2, 4, 8, 16 or 32 lanes");

 public:
  struct TempStorage {};
  __device__ explicit WarpScan(TempStorage&)
      : lane_((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % width),
        mask_(heddle_cc::segment_mask(width, 32)) {}
  template <class Operation>
  __device__ void InclusiveScan(T in, T& out, Operation operation) {
    out = heddle_cc::scan_segment(in, operation, lane_, width, mask_);
  }
  template <class Operation>
  __device__ void InclusiveScan(T in, T& out, Operation operation, T& all) {
    InclusiveScan(in, out, operation);
    all = Broadcast(out, width - 1);
  }
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, T first, Operation operation, T& all) {
    T sum;
    InclusiveScan(in, sum, operation, all);
    const T before = up(sum);
    out = lane_ ? operation(first, before) : first;
  }
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, T first, Operation operation) {
    T all;
    ExclusiveScan(in, out, first, operation, all);
  }
  /// Exclusive scan without an initial value, so the result of lane 0 is not defined.
  template <class Operation>
  __device__ void ExclusiveScan(T in, T& out, Operation operation) {
    T sum;
    InclusiveScan(in, sum, operation);
    out = up(sum);
  }
  __device__ void InclusiveSum(T in, T& out) { InclusiveScan(in, out, cub::Sum()); }
  __device__ void InclusiveSum(T in, T& out, T& all) { InclusiveScan(in, out, cub::Sum(), all); }
  __device__ void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T in, T& out, T& all) { ExclusiveScan(in, out, T(), cub::Sum(), all); }
  __device__ T Broadcast(T value, unsigned from) {
    const unsigned mask = mask_;
    return heddle_cc::shuffle_words(value, [=](int word) { return __shfl_sync(mask, word, from, width); });
  }

 private:
  __device__ T up(T value) {
    const unsigned mask = mask_;
    return heddle_cc::shuffle_words(value, [=](int word) { return __shfl_up_sync(mask, word, 1, width); });
  }
  int lane_;
  unsigned mask_;
};

}  // namespace cub
