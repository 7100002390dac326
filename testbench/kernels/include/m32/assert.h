// SPDX-License-Identifier: Apache-2.0
// The part of <assert.h> that kernels use, for -m32, because Debian has no 32-bit C library headers (scripts/heddle-cc).
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
