/* The host's part in C: types, structures and calls of the runtime and driver interfaces, and NVTX's ranges. */
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

cudaError_t triple(const float4* in, float4* out, dim3 grid, cudaStream_t stream);

int main(void) {
  float4 host[64];
  float4 *in, *out;
  struct cudaDeviceProp properties;
  cudaStream_t stream;
  CUdevice device;
  dim3 grid = {2, 1, 1};
  int wrong = 0;
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "all";
  nvtxRangePushEx(&event);
  nvtxRangeId_t range = nvtxRangeStart("part");
  for (int i = 0; i < 64; ++i) host[i] = make_float4((float)i, 1, 2, 3);
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 2;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32) return 2;
  if (cudaMalloc((void**)&in, sizeof host) || cudaMalloc((void**)&out, sizeof host)) return 2;
  if (cudaStreamCreate(&stream)) return 2;
  cudaMemcpyAsync(in, host, sizeof host, cudaMemcpyHostToDevice, stream);
  if (triple(in, out, grid, stream) != cudaSuccess) return 2;
  cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 2;
  for (int i = 0; i < 64; ++i) wrong += host[i].x != 3.0f * (float)i || host[i].w != 9;
  nvtxRangeEnd(range);
  nvtxRangePop();
  nvtxMark("end");
  printf("%d wrong of 64\n", wrong);
  return wrong != 0;
}
