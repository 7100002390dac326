// SPDX-License-Identifier: Apache-2.0
// Managed variables of programs. clang does not support them, so they are device variables with a copy on the
// host, in a separate section. At each launch, the runtime makes both copies equal. A variable's host address
// differs from its device address.
#pragma once

#if !defined __CUDA_ARCH__ && defined __cplusplus
extern "C" {
// The linker's names for the ends of the section of managed variables; null if a program has no such variable.
extern char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
void __cudaHeddleManaged(void* begin, void* end) __attribute__((weak));
}

// Passes the section of managed variables to the runtime, before the host code registers its variables.
static __attribute__((constructor(101), unused)) void heddle_cc_tell_managed() {
  if (__start_heddle_managed != __stop_heddle_managed && __cudaHeddleManaged)
    __cudaHeddleManaged(__start_heddle_managed, __stop_heddle_managed);
}
#endif
