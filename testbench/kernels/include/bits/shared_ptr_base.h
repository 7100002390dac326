// SPDX-License-Identifier: Apache-2.0
// libstdc++'s header uses __attribute__((__noinline__)), but in CUDA C++ this word is a macro.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
