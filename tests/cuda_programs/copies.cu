// Tests copies and fills of parts of pitched and three-dimensional memory.
#include <vector>

#include "check.h"

__global__ void twice(char* base, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<float*>(base + y * pitch)[x] *= 2;
}

int main() {
  const int width = 37, height = 11, depth = 3;
  std::vector<float> host(width * height), back(width * height, -1.f);
  for (int i = 0; i < width * height; ++i) host[i] = static_cast<float>(i);
  char* device;
  std::size_t pitch;
  MUST(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
  MUST(cudaMemset2D(device, pitch, 0, pitch, height));
  MUST(cudaMemcpy2D(device, pitch, host.data(), width * sizeof(float), width * sizeof(float), height,
                    cudaMemcpyHostToDevice));
  twice<<<dim3((width + 31) / 32, height), 32>>>(device, pitch, width, height);
  MUST(cudaMemcpy2D(back.data(), width * sizeof(float), device, pitch, width * sizeof(float), height - 1,
                    cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int i = 0; i < width * height; ++i) wrong += back[i] != (i < width * (height - 1) ? 2.f * i : -1.f);

  cudaPitchedPtr cube;
  MUST(cudaMalloc3D(&cube, make_cudaExtent(width * sizeof(float), height, depth)));
  MUST(cudaMemset3D(cube, 0x11, make_cudaExtent(width * sizeof(float), height, depth)));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(float), width, height);
  p.dstPtr = cube;
  p.dstPos = make_cudaPos(0, 0, 1);
  p.extent = make_cudaExtent(width * sizeof(float), height, 1);
  p.kind = cudaMemcpyHostToDevice;
  MUST(cudaMemcpy3D(&p));
  std::vector<unsigned> slices(width * height * depth);
  cudaMemcpy3DParms out = {};
  out.srcPtr = cube;
  out.dstPtr = make_cudaPitchedPtr(slices.data(), width * sizeof(float), width, height);
  out.extent = make_cudaExtent(width * sizeof(float), height, depth);
  out.kind = cudaMemcpyDeviceToHost;
  MUST(cudaMemcpy3D(&out));
  for (int i = 0; i < width * height; ++i) {
    wrong += slices[i] != 0x11111111u;
    wrong += reinterpret_cast<float&>(slices[width * height + i]) != host[i];
  }
  return report(wrong, 3L * width * height);
}
