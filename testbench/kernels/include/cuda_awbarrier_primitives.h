// SPDX-License-Identifier: Apache-2.0
// Replaces CUDA's header of this name in sources that scripts/heddle-cc compiles: barriers in shared memory that count
// arrivals, as mbarrier instructions (PTX ISA 9.0, 9.7.13.15). They exist from sm_80 on.
#pragma once

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
namespace heddle_cc {
HEDDLE_CC_FUNCTION unsigned shared_address(const void* generic) {
  return (unsigned)__cvta_generic_to_shared(generic);
}
}  // namespace heddle_cc

HEDDLE_CC_FUNCTION unsigned __mbarrier_maximum_count() { return (1u << 20) - 1; }
HEDDLE_CC_FUNCTION void __mbarrier_init(__mbarrier_t* barrier, unsigned expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(heddle_cc::shared_address(barrier)),
               "r"(expected_count)
               : "memory");
}
HEDDLE_CC_FUNCTION void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(heddle_cc::shared_address(barrier)) : "memory");
}
HEDDLE_CC_FUNCTION __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(heddle_cc::shared_address(barrier))
               : "memory");
  return token;
}
HEDDLE_CC_FUNCTION __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(heddle_cc::shared_address(barrier))
               : "memory");
  return token;
}

#define HEDDLE_CC_MBARRIER_WAIT(name, form, type, constraint)                                       \
  HEDDLE_CC_FUNCTION bool name(__mbarrier_t* barrier, type awaited) {                               \
    unsigned complete;                                                                              \
    asm volatile("{ .reg .pred %%p; mbarrier." form ".b64 %%p, [%1], %2; selp.u32 %0, 1, 0, %%p; }" \
                 : "=r"(complete)                                                                   \
                 : "r"(heddle_cc::shared_address(barrier)), constraint                              \
                 : "memory");                                                                       \
    return complete != 0;                                                                           \
  }
HEDDLE_CC_MBARRIER_WAIT(__mbarrier_test_wait, "test_wait.shared", __mbarrier_token_t, "l"(awaited))
HEDDLE_CC_MBARRIER_WAIT(__mbarrier_test_wait_parity, "test_wait.parity.shared", bool, "r"((unsigned)awaited))
#undef HEDDLE_CC_MBARRIER_WAIT

#define HEDDLE_CC_MBARRIER_WAIT(name, form, type, constraint)                                           \
  HEDDLE_CC_FUNCTION bool name(__mbarrier_t* barrier, type awaited, unsigned max_sleep_nanosec) {       \
    unsigned complete;                                                                                  \
    asm volatile("{ .reg .pred %%p; mbarrier." form ".b64 %%p, [%1], %2, %3; selp.u32 %0, 1, 0, %%p; }" \
                 : "=r"(complete)                                                                       \
                 : "r"(heddle_cc::shared_address(barrier)), constraint, "r"(max_sleep_nanosec)          \
                 : "memory");                                                                           \
    return complete != 0;                                                                               \
  }
HEDDLE_CC_MBARRIER_WAIT(__mbarrier_try_wait, "try_wait.shared", __mbarrier_token_t, "l"(awaited))
HEDDLE_CC_MBARRIER_WAIT(__mbarrier_try_wait_parity, "try_wait.parity.shared", bool, "r"((unsigned)awaited))
#undef HEDDLE_CC_MBARRIER_WAIT

HEDDLE_CC_FUNCTION unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
#endif
