// Tests rules of CUDA for processes, failed launches and absurd sizes. The argument chooses the rule that is tested.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

#include "check.h"

__global__ void count_up(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = i;
}
__global__ void store_far(int* values) { values[1 << 20] = 1; }
__global__ void take_time(int* values) {
  int x = threadIdx.x;
  for (int i = 0; i < 20000; ++i) x = x * 1664525 + i;
  values[threadIdx.x] = x;
}

constexpr int kCount = 100;

// Fills an array on the device and returns the number of its wrong elements.
static int wrong_values() {
  int *values, host[kCount], wrong = 0;
  MUST(cudaMalloc(&values, sizeof host));
  count_up<<<4, 32>>>(values, kCount);
  MUST(cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) wrong += host[i] != i;
  return wrong;
}

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Forks before any CUDA call, so both processes make their first CUDA call after the fork.
static int fork_first() {
  const pid_t child = fork();
  const int wrong = wrong_values();
  if (child == 0) _exit(wrong);
  return report(wrong + status_of(child), 2 * kCount);
}

// Forks while another thread is in a CUDA call. The children must end; a CUDA call in a child must return an error.
static int fork_in_call(bool calls) {
  int* values;
  MUST(cudaMalloc(&values, 4096));
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) {
      take_time<<<1, 256>>>(values);
      cudaDeviceSynchronize();
    }
  });
  usleep(50000);
  int wrong = 0;
  for (int i = 0; i < 5; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      if (!calls) std::exit(0);
      int* more;
      const cudaError_t status = cudaMalloc(&more, 4);
      _exit(status == cudaErrorInitializationError && cudaGetLastError() == status ? 0 : 1);
    }
    wrong += status_of(child);
  }
  stop = true;
  busy.join();
  return report(wrong, 5);
}

// A call that requests more memory than the device has must fail; later calls must succeed.
static int absurd_sizes() {
  void* p = nullptr;
  std::size_t pitch = 7;
  int* values;
  cudaPitchedPtr pitched, far;
  MUST(cudaMalloc(&values, 64));
  far = {values, std::size_t{1} << 63, 1, 2};
  const std::size_t most = SIZE_MAX, half = std::size_t{1} << 63;
  const cudaError_t all[] = {
      cudaMalloc(&p, most),
      cudaMallocPitch(&p, &pitch, most, 2),
      cudaMallocPitch(&p, &pitch, most - 511, 1),
      cudaMallocPitch(&p, &pitch, std::size_t{1} << 40, std::size_t{1} << 40),
      cudaMalloc3D(&pitched, cudaExtent{most, 2, 2}),
      cudaMalloc3D(&pitched, cudaExtent{1, half, 2}),
      cudaHostAlloc(&p, half, 0),
      cudaHostRegister(reinterpret_cast<void*>(4096), half, 0),
      cudaHostRegister(reinterpret_cast<void*>(~std::uintptr_t{0xfff}), std::size_t{1} << 40, 0),
      cudaHostRegister(values, most, 0),
      cudaMemcpy(values, &pitch, most, cudaMemcpyHostToDevice),
      cudaMemcpy(&pitch, values, half, cudaMemcpyDeviceToHost),
      cudaMemcpy2D(values, most, &pitch, most, 8, most, cudaMemcpyDefault),
      cudaMemset(values, 0, most),
      cudaMemset2D(values, most, 0, 1, most),
      cudaMemset3D(far, 0, cudaExtent{1, 1, most}),
      cudaMemcpy(values, reinterpret_cast<void*>(8), 64, cudaMemcpyHostToDevice),
      cudaMemcpy(reinterpret_cast<void*>(8), values, 64, cudaMemcpyDeviceToHost),
  };
  int wrong = 0;
  for (const cudaError_t status : all)
    if (status != cudaErrorInvalidValue && status != cudaErrorMemoryAllocation) {
      std::printf("call %d: %s\n", static_cast<int>(&status - all), cudaGetErrorName(status));
      ++wrong;
    }
  cudaGetLastError();
  return report(wrong + wrong_values(), static_cast<int>(sizeof all / sizeof all[0]));
}

// The second launch fails; the program ignores the error.
static int failing() {
  int* values;
  MUST(cudaMalloc(&values, 4 * kCount));
  count_up<<<4, 32>>>(values, kCount);
  store_far<<<1, 1>>>(values);
  count_up<<<4, 32>>>(values, kCount);
  count_up<<<2, 64>>>(values, kCount);
  cudaDeviceSynchronize();
  return 0;
}

// A launch that CUDA refuses must fail; later launches must succeed.
static int refused() {
  int* values;
  MUST(cudaMalloc(&values, 4 * kCount));
  count_up<<<1, 2000>>>(values, kCount);
  count_up<<<4, 32>>>(values, kCount);
  return 5;
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("fork-first")) return fork_first();
  if (is("fork-in-call")) return fork_in_call(false);
  if (is("call-in-child")) return fork_in_call(true);
  if (is("absurd-sizes")) return absurd_sizes();
  if (is("failing")) return failing();
  if (is("refused")) return refused();
  return report(1, 1);
}
