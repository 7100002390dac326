// Helper of the CUDA test programs: stops if a CUDA call fails, and reports the result of the program.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void must(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::printf("line %d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(2);
}
#define MUST(call) must(call, #call, __LINE__)

inline int report(long wrong, long all) {
  std::printf("%ld wrong of %ld\n", wrong, all);
  return wrong != 0;
}
