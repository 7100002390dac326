// SPDX-License-Identifier: Apache-2.0
// cub's runs of equal values, its allocator and its checks (CUB's documentation, "Device-wide primitives", "Utilities").
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "device.h"

namespace cub {

struct DeviceRunLengthEncode {
  /// Writes the value and the length of each run of equal values, and the number of runs to *count.
  template <class In, class Out, class Lengths, class Count>
  static cudaError_t Encode(void* storage, size_t& bytes, In in, Out out, Lengths lengths, Count count,
                            size_t n, cudaStream_t stream = nullptr, bool = false) {
    if (heddle_cc::asks_for_size(storage, bytes)) return cudaSuccess;
    using Length = heddle_cc::ValueOr<Lengths>;
    heddle_cc::parallel::select(
        n, [=] __device__(size_t i) -> bool { return !i || !(in[i] == in[i - 1]); },
        [=] __device__(size_t from, size_t to) {
          out[to] = in[from];
          size_t end = from + 1;
          while (end < n && in[end] == in[from]) ++end;
          lengths[to] = (Length)(end - from);
        },
        &*count, stream);
    return cudaPeekAtLastError();
  }
};

/// Allocates device memory. Unlike CUB, it keeps no freed memory, because an allocation takes no simulated time.
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned, unsigned = 0, size_t = 0, bool = false, bool = false) {}
  cudaError_t DeviceAllocate(void** pointer, size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceAllocate(int, void** pointer, size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceFree(void* pointer) { return cudaFree(pointer); }
  cudaError_t DeviceFree(int, void* pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

/// Prints an error and returns it.
inline cudaError_t Debug(cudaError_t status, const char* file, int line) {
  if (status != cudaSuccess) fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  return status;
}

}  // namespace cub

#define CubDebug(status) cub::Debug((status), __FILE__, __LINE__)
#define CubDebugExit(status)                                              \
  do {                                                                    \
    if (cub::Debug((status), __FILE__, __LINE__) != cudaSuccess) exit(1); \
  } while (0)
