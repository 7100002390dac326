// SPDX-License-Identifier: Apache-2.0
// Replaces the CUDA samples' header of this name in sources that scripts/heddle-cc compiles.
#pragma once

#include "../heddle_cc.h"

#include <stdio.h>
#include <stdlib.h>

static inline void heddle_cc_check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(status),
          cudaGetErrorName(status));
  exit(EXIT_FAILURE);
}

#define checkCudaErrors(call) heddle_cc_check(call, #call, __FILE__, __LINE__)
#define getLastCudaError(text) heddle_cc_check(cudaGetLastError(), text, __FILE__, __LINE__)

static inline int findCudaDevice(int, const char**) { return 0; }
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
