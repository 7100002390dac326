// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: asynchronous copies from global to
// shared memory, as cp.async (PTX ISA 9.0, 9.7.9.25.3). Before sm_80 the functions copy at once.
#pragma once

#include "cuda_awbarrier_primitives.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HEDDLE_CC_COPY(cache, bytes)                                                     \
  asm volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ", %2;" ::"r"(to), \
               HEDDLE_CC_ADDRESS(from), "r"(read)                                        \
               : "memory")
/// Copies `size_and_align` bytes (4, 8 or 16), but sets the last `zfill` bytes to 0.
HEDDLE_CC_FUNCTION void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                                size_t size_and_align, size_t zfill = 0) {
  const unsigned to = heddle_cc::shared_address(dst_shared), read = (unsigned)(size_and_align - zfill);
  const size_t from = (size_t)src_global;
  if (size_and_align == 16)
    HEDDLE_CC_COPY("cg", 16);
  else if (size_and_align == 8)
    HEDDLE_CC_COPY("ca", 8);
  else if (size_and_align == 4)
    HEDDLE_CC_COPY("ca", 4);
  else
    __trap();
}
#undef HEDDLE_CC_COPY

HEDDLE_CC_FUNCTION void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits for all batches of copies except the last `prior` batches. The instruction needs a constant, so
/// there is one case for each number up to 7. For other numbers, the function waits for all batches.
HEDDLE_CC_FUNCTION void __pipeline_wait_prior(size_t prior) {
  switch (prior) {
#define HEDDLE_CC_WAIT(n)                                     \
  case n:                                                     \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
    break
    HEDDLE_CC_WAIT(1);
    HEDDLE_CC_WAIT(2);
    HEDDLE_CC_WAIT(3);
    HEDDLE_CC_WAIT(4);
    HEDDLE_CC_WAIT(5);
    HEDDLE_CC_WAIT(6);
    HEDDLE_CC_WAIT(7);
#undef HEDDLE_CC_WAIT
    default:
      asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
}

/// Arrives at the barrier when all earlier copies of the thread are complete. Adds 1 to the barrier's pending
/// count for this arrival.
HEDDLE_CC_FUNCTION void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(heddle_cc::shared_address(barrier))
               : "memory");
}
#else
HEDDLE_CC_FUNCTION void __pipeline_memcpy_async(void* dst_shared, const void* src_global,
                                                size_t size_and_align, size_t zfill = 0) {
  for (size_t n = 0; n < size_and_align; ++n)
    ((char*)dst_shared)[n] = n < size_and_align - zfill ? ((const char*)src_global)[n] : 0;
}
HEDDLE_CC_FUNCTION void __pipeline_commit() {}
HEDDLE_CC_FUNCTION void __pipeline_wait_prior(size_t) {}
#endif
