// SPDX-License-Identifier: Apache-2.0
// Managed variables of programs. clang has none: they are variables of the device whose place on the host, in a section of its own, the
// runtime keeps equal to the device's at each launch. Their address on the host is not that of the device.
#pragma once

#if !defined __CUDA_ARCH__ && defined __cplusplus
extern "C" {
// The linker's names for the section's ends, which are null where a program has no such variable.
extern char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
void __cudaHeddleManaged(void* begin, void* end) __attribute__((weak));
}

// Before the variables are registered.
static __attribute__((constructor(101), unused)) void heddle_cc_tell_managed() {
  if (__start_heddle_managed != __stop_heddle_managed && __cudaHeddleManaged)
    __cudaHeddleManaged(__start_heddle_managed, __stop_heddle_managed);
}
#endif
