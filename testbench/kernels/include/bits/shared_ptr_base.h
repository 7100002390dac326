// SPDX-License-Identifier: Apache-2.0
// libstdc++'s header writes __attribute__((__noinline__)), where CUDA C++ has the word as a macro.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
