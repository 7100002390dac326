// Measures latencies as microbenchmarks do: a chain of dependent operations between two reads of the clock.

#include <cstdio>
#include <cstring>

#include "check.h"

constexpr int kLinks = 256;

template <class Link>
__device__ void chain(unsigned* cycles, Link link) {
  unsigned from, to;
  link();  // makes the first value of the chain available
  asm volatile("mov.u32 %0, %%clock;" : "=r"(from)::"memory");
#pragma unroll
  for (int i = 0; i < kLinks; ++i) link();
  asm volatile("mov.u32 %0, %%clock;" : "=r"(to)::"memory");
  *cycles = to - from;
}

__global__ void measure(unsigned* cycles, unsigned* words, float* floats, double* doubles) {
  unsigned i = words[0];
  float f = floats[0];
  double d = doubles[0];
  chain(cycles + 0, [&] { asm volatile("add.u32 %0, %0, 3;" : "+r"(i)); });
  chain(cycles + 1, [&] { asm volatile("mul.lo.u32 %0, %0, 3;" : "+r"(i)); });
  chain(cycles + 2, [&] { asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(f)); });
  chain(cycles + 3, [&] { asm volatile("add.f64 %0, %0, 0d3FF0000000000000;" : "+d"(d)); });
  words[0] = i;
  floats[0] = f;
  doubles[0] = d;
}

// CTA 0 counts its clock reads until CTA 1 sets the flag. The count differs between timed GPU and reference.
__global__ void waits(unsigned* flag, unsigned* looks) {
  if (blockIdx.x == 1) {
    atomicExch(flag, 1u);
    return;
  }
  unsigned count = 0, time = 0;
  do {
    time = (unsigned)clock();
    ++count;
  } while (atomicAdd(flag, 0u) == 0);
  looks[0] = count;
  looks[1] = time;
}

// The number of clock reads is the same on every machine, but the result depends on the order of atomics.
__global__ void tickets(unsigned* next, unsigned* places) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const unsigned from = (unsigned)clock(), place = atomicAdd(next, 1u);
  const unsigned beside = __shfl_xor_sync(0xffffffffu, place, 1);
  atomicMax(&sum, place);
  __syncthreads();
  places[blockIdx.x * blockDim.x + threadIdx.x] = (place > beside ? sum - place : beside) + *next + 0 * from;
}

// Every machine reads the clock equally often, so a different result comes from the CTAs' race for one word.
__global__ void races(volatile unsigned* next, unsigned* places) {
  const unsigned from = (unsigned)clock();
  const unsigned place = next[0];
  next[0] = place + 1;
  places[blockIdx.x * blockDim.x + threadIdx.x] = place + 0 * from;
}

int main(int argc, char** argv) {
  if (argc > 1) {
    unsigned *word, *out;
    MUST(cudaMalloc(&word, 4));
    MUST(cudaMalloc(&out, 4 * 256));
    MUST(cudaMemset(word, 0, 4));
    MUST(cudaMemset(out, 0, 4 * 256));
    if (std::strcmp(argv[1], "waits") == 0)
      waits<<<2, 1>>>(word, out);
    else if (std::strcmp(argv[1], "tickets") == 0)
      tickets<<<4, 64>>>(word, out);
    else
      races<<<4, 64>>>(word, out);
    MUST(cudaDeviceSynchronize());
    return 0;
  }
  unsigned *cycles, *words, host[4];
  float* floats;
  double* doubles;
  MUST(cudaMalloc(&cycles, sizeof host));
  MUST(cudaMalloc(&words, 4));
  MUST(cudaMalloc(&floats, 4));
  MUST(cudaMalloc(&doubles, 8));
  MUST(cudaMemset(words, 0, 4));
  MUST(cudaMemset(floats, 0, 4));
  MUST(cudaMemset(doubles, 0, 8));
  measure<<<1, 1>>>(cycles, words, floats, doubles);
  MUST(cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost));
  const char* const names[] = {"integer add", "integer multiply", "single-precision add", "double-precision add"};
  for (int m = 0; m < 4; ++m) std::printf("%s: %.1f cycles\n", names[m], host[m] / double(kLinks));
}
