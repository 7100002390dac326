// Typical forms of locks in CUDA programs. Each thread adds one to *sum while the thread holds the lock.

#include <cuda_runtime.h>

static __device__ void add_one(int* sum) { *(volatile int*)sum = *(volatile int*)sum + 1; }

// The textbook form: the critical section is inside the loop.
__global__ void cas_in_loop(int* gate, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(gate, 0, 1) == 0) {
      add_one(sum);
      __threadfence();
      atomicExch(gate, 0);
      done = true;
    }
  }
}
__global__ void exch_in_loop(int* gate, int* sum) {
  bool waits = true;
  do {
    if (atomicExch(gate, 1) == 0) {
      add_one(sum);
      __threadfence();
      atomicExch(gate, 0);
      waits = false;
    }
  } while (waits);
}
__global__ void flag_in_loop(int* gate, int* sum) {
  volatile int* open = gate;
  bool done = false;
  while (!done) {
    if (*open == 0 && atomicCAS(gate, 0, 1) == 0) {
      add_one(sum);
      __threadfence();
      *open = 0;
      done = true;
    }
  }
}
// The critical section is after the loop. On a SIMT stack, the lane with the lock waits for the lanes in the loop.
__global__ void cas_before(int* gate, int* sum) {
  while (atomicCAS(gate, 0, 1) != 0) {}
  add_one(sum);
  __threadfence();
  atomicExch(gate, 0);
}
__global__ void exch_before(int* gate, int* sum) {
  while (atomicExch(gate, 1) != 0) {}
  add_one(sum);
  __threadfence();
  *(volatile int*)gate = 0;
}
// The lanes enter the critical section in the order of their numbers.
__global__ void turns(int* gate, int* sum) {
  const int mine = blockIdx.x * blockDim.x + threadIdx.x;
  while (*(volatile int*)gate != mine) {}
  add_one(sum);
  __threadfence();
  *(volatile int*)gate = mine + 1;
}
// Lane 0 waits for lane 1 of the same warp. Afterwards, both lanes meet at the barrier.
__global__ void flag_then_barrier(int* gate, int* sum) {
  if (threadIdx.x == 0)
    while (*(volatile int*)gate == 0) {}
  if (threadIdx.x == 1) {
    *(volatile int*)gate = 1;
  }
  __syncthreads();
  atomicAdd(sum, 1);
}
// One thread of each warp takes the lock.
__global__ void one_a_warp(int* gate, int* sum) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(gate, 0, 1) != 0) {}
    add_one(sum);
    __threadfence();
    atomicExch(gate, 0);
  }
  __syncthreads();
}
