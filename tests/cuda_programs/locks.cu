// Prints what each lock of tests/heddle_cc/locks.cu protects, for the kernel that the argument names.

#include "../heddle_cc/locks.cu"

#include <cstdio>
#include <cstring>

#include "check.h"

int main(int argc, char** argv) {
  using Lock = void (*)(int*, int*);
  const struct {
    const char* name;
    Lock lock;
  } locks[] = {{"cas_in_loop", cas_in_loop}, {"exch_in_loop", exch_in_loop}, {"flag_in_loop", flag_in_loop},
               {"cas_before", cas_before},   {"exch_before", exch_before},   {"turns", turns},
               {"one_a_warp", one_a_warp},   {"flag_then_barrier", flag_then_barrier}};
  int* words;
  MUST(cudaMalloc(&words, 8));
  for (const auto& [name, lock] : locks) {
    if (argc > 1 && std::strcmp(argv[1], name) != 0) continue;
    MUST(cudaMemset(words, 0, 8));
    lock<<<2, 64>>>(words, words + 1);
    const cudaError_t error = cudaDeviceSynchronize();
    int sum = 0;
    if (error == cudaSuccess) MUST(cudaMemcpy(&sum, words + 1, 4, cudaMemcpyDeviceToHost));
    std::printf("%s: %d%s%s\n", name, sum, error == cudaSuccess ? "" : ", ",
                error == cudaSuccess ? "" : cudaGetErrorString(error));
  }
}
