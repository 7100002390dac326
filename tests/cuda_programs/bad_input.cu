// Makes mistakes that CUDA reports. The argument chooses the mistake; the program prints the name of CUDA's error.
#include <cassert>
#include <cstdio>
#include <cstring>

#include <signal.h>
#include <unistd.h>

#include "check.h"

__global__ void store(int* into) { into[threadIdx.x] = 1; }
__global__ void misaligned(char* into) { *reinterpret_cast<int*>(into + 1) = 1; }
__global__ void read_before(const int* from, int* into) { into[0] = from[-1] + from[4]; }
__global__ void trap() { __trap(); }
__global__ void asserts(int least) { assert(static_cast<int>(threadIdx.x) >= least); }
// Warp 0 waits for memory; warp 1 executes more instructions. In a timed run, warp 1 ends first; in an untimed run,
// warp 0.
__global__ void take_places(int* count, int* places) {
  const int warp = threadIdx.x / 32;
  int value = 0;
  if (warp == 0)
    for (int i = 0; i < 60; ++i) value = atomicAdd(&places[value], 0);
  else
    for (int i = 0; i < 400; ++i) value = value * 5 + places[0];
  if (threadIdx.x % 32 == 0) places[8 + atomicAdd(count, 1)] = warp + value;
}
// 48 values are live at the same time. They need more registers than a thread of a large block may have.
__global__ void many_values(int* into) {
  int values[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) values[i] = static_cast<volatile int*>(into)[i & 3];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) sum = sum * values[i] + values[47 - i];
  into[0] = sum;
}
__global__ void room(int* into) {
  extern __shared__ int values[];
  values[threadIdx.x] = into[0];
  into[0] = values[0];
}
__global__ void read_clock(long long* into) { into[threadIdx.x] = clock64(); }

static int said(const char* what, cudaError_t status) {
  std::printf("%s: %s\n", what, cudaGetErrorName(status));
  return 0;
}

extern "C" int cuTexRefCreate(void** reference);

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  int *memory, host = 0;
  MUST(cudaMalloc(&memory, 4 * sizeof(int)));
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("wrong-pointer")) return said(what, cudaMemcpy(memory + 100, &host, 4, cudaMemcpyHostToDevice));
  if (is("too-long")) return said(what, cudaMemcpy(memory, &host, 1000, cudaMemcpyHostToDevice));
  if (is("host-pointer")) return said(what, cudaMemcpy(&host, &host, 4, cudaMemcpyHostToDevice));
  if (is("direction")) return said(what, cudaMemcpy(memory, &host, 4, static_cast<cudaMemcpyKind>(9)));
  if (is("out-of-memory")) return said(what, cudaMalloc(&memory, std::size_t{1} << 50));
  if (is("double-free")) {
    MUST(cudaFree(memory));
    return said(what, cudaFree(memory));
  }
  if (is("missing-symbol")) return said(what, cudaMemcpyToSymbol(&host, &host, 4));
  if (is("driver-call")) return said(what, static_cast<cudaError_t>(cuTexRefCreate(nullptr)));
  if (is("device")) return said(what, cudaSetDevice(3));
  if (is("stream")) return said(what, cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(0x1234)));
  if (is("fork")) {
    if (const pid_t child = fork(); child != 0) return 0;
    const int done = said(what, cudaMalloc(&memory, 4));
    std::fflush(stdout);
    _exit(done);
  }
  if (is("threads")) {
    store<<<1, 2000>>>(memory);
    said(what, cudaGetLastError());
    return said("after", cudaGetLastError());
  }
  if (is("shared")) {
    store<<<1, 1, 1 << 20>>>(memory);
    return said(what, cudaGetLastError());
  }
  if (is("registers")) {
    many_values<<<1, 1024>>>(memory);
    said(what, cudaGetLastError());
    many_values<<<1, 64>>>(memory);
    return said("fewer", cudaDeviceSynchronize());
  }
  if (is("optin")) {  // a block has 48 KB of shared memory; only this attribute allows more
    said(what, cudaFuncSetAttribute(room, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    room<<<1, 1, 64 << 10>>>(memory);
    said("launch", cudaGetLastError());
    room<<<1, 1, 48 << 10>>>(memory);
    return said("less", cudaDeviceSynchronize());
  }
  if (is("order")) {
    int* places;
    MUST(cudaMalloc(&places, 16 * sizeof(int)));
    MUST(cudaMemset(places, 0, 16 * sizeof(int)));
    MUST(cudaMemset(memory, 0, 4 * sizeof(int)));
    take_places<<<1, 64>>>(memory, places);
    return said(what, cudaDeviceSynchronize());
  }
  if (is("clock")) {
    long long* times;
    MUST(cudaMalloc(&times, 32 * sizeof *times));
    read_clock<<<1, 32>>>(times);
    return said(what, cudaDeviceSynchronize());
  }
  if (is("interrupt")) {
    for (int i = 0; i < 3; ++i) store<<<1, 4>>>(memory);
    kill(getppid(), SIGINT);
    sleep(60);
    return said("not interrupted", cudaSuccess);
  }
  if (is("outside")) read_before<<<1, 1>>>(memory, memory);
  if (is("illegal-address")) store<<<1, 32>>>(memory);
  if (is("misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char*>(memory));
  if (is("trap")) trap<<<1, 1>>>();
  if (is("assert")) asserts<<<1, 8>>>(5);
  said(what, cudaDeviceSynchronize());
  said("sticky", cudaMemcpy(&host, memory, 4, cudaMemcpyDeviceToHost));
  cudaGetLastError();
  said("still", cudaPeekAtLastError());
  MUST(cudaDeviceReset());
  return said("reset", cudaGetLastError());
}
