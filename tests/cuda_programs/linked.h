#pragma once

// Shared by the two source files of the test program "linked".

#include <cstdio>

__device__ int moved(int x);
void run_second(int* device);

template <class T>
__device__ __noinline__ T doubled(T x) {
  return x + x;
}
