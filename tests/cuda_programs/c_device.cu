// The device code of c_host.c.
#include <cuda_runtime.h>

__global__ void triple_each(const float4* in, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 v = in[i];
  out[i] = make_float4(3 * v.x, 3 * v.y, 3 * v.z, 3 * v.w);
}

extern "C" cudaError_t triple(const float4* in, float4* out, dim3 grid, cudaStream_t stream) {
  triple_each<<<grid, 32, 0, stream>>>(in, out);
  return cudaGetLastError();
}
