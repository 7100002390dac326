// SPDX-License-Identifier: Apache-2.0
// For -m32, for which Debian has no C library headers: the part that kernels use (scripts/heddle-cc).
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
