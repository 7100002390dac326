// Prints the properties of the device, one per line. cudaDeviceProp, attributes and driver must return the same values.
#include <cuda.h>

#include "check.h"

__global__ void nothing() {}  // the kernel's PTX states the compute capability

static long wrong = 0, all = 0;

static void figure(const char* name, long long property, cudaDeviceAttr attribute) {
  int value = 0, driver = 0;
  MUST(cudaDeviceGetAttribute(&value, attribute, 0));
  wrong += cuDeviceGetAttribute(&driver, static_cast<CUdevice_attribute>(attribute), 0) != CUDA_SUCCESS;
  wrong += (value != property) + (driver != property);
  ++all;
  std::printf("%s %lld\n", name, property);
}

int main() {
  cudaDeviceProp p;
  MUST(cudaGetDeviceProperties(&p, 0));
  figure("l2", p.l2CacheSize, cudaDevAttrL2CacheSize);
  figure("bus", p.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  figure("memory-khz", p.memoryClockRate, cudaDevAttrMemoryClockRate);
  figure("khz", p.clockRate, cudaDevAttrClockRate);
  figure("sms", p.multiProcessorCount, cudaDevAttrMultiProcessorCount);
  figure("shared-block", p.sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  figure("shared-optin", p.sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  figure("shared-sm", p.sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  figure("registers-block", p.regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  figure("registers-sm", p.regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
  figure("threads-sm", p.maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  figure("threads-block", p.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  figure("blocks-sm", p.maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  figure("warp", p.warpSize, cudaDevAttrWarpSize);
  figure("double-ratio", p.singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio);
  return report(wrong, all);
}
