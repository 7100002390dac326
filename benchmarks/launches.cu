// Launches COUNT kernels, so that scripts/bench --launches can measure the host's time per launch. Arguments: KIND
// COUNT. KIND 0: empty kernels. KIND 1: kernels that change one page of a buffer of 1 MiB.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void nothing(int*) {}
__global__ void change(int* memory) { ++memory[threadIdx.x]; }

int main(int argc, char** argv) {
  if (argc != 3) return 1;
  const bool changes = std::atoi(argv[1]) != 0;
  const int count = std::atoi(argv[2]);
  int* memory;
  if (cudaMalloc(&memory, 1 << 20) != cudaSuccess) return 1;
  for (int i = 0; i < count; ++i)
    if (changes)
      change<<<1, 32>>>(memory);
    else
      nothing<<<1, 32>>>(memory);
  if (cudaDeviceSynchronize() == cudaSuccess) return 0;
  std::printf("a launch failed\n");
  return 1;
}
