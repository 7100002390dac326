// SPDX-License-Identifier: Apache-2.0
// Loads and stores with cache hints, prefetches, and copies.
#pragma once

#include "synchronisation.h"

namespace heddle_cc {
// For a value in inline PTX: its constraint letter, and the register type that the constraint requires.
template <class T, int size>
struct Wide {};
template <class T>
struct Wide<T, 1> {
  using Register = unsigned short;
};
template <class T>
struct Wide<T, 2> {
  using Register = unsigned short;
};
template <class T>
struct Wide<T, 4> {
  using Register = unsigned;
};
template <class T>
struct Wide<T, 8> {
  using Register = unsigned long long;
};
template <int size>
struct Bits;
template <>
struct Bits<1> {
  using Part = unsigned char;
};
template <>
struct Bits<2> {
  using Part = unsigned short;
};
template <>
struct Bits<4> {
  using Part = unsigned;
};
template <>
struct Bits<8> {
  using Part = unsigned long long;
};
}  // namespace heddle_cc

// Defines a load with a cache hint. `keep`: `volatile` if the compiler must keep every load: other threads may write the value.
#define HEDDLE_CC_LOAD(name, ptx, type, bits, constraint, keep, ...)         \
  HEDDLE_CC_FUNCTION type name(const type* p) {                              \
    heddle_cc::Wide<type, sizeof(type)>::Register v;                         \
    asm keep("ld.global." ptx ".b" #bits " %0, [%1];"                        \
             : "=" constraint(v)                                             \
             : HEDDLE_CC_ADDRESS(p) __VA_ARGS__);                            \
    return __builtin_bit_cast(type, (heddle_cc::Bits<sizeof(type)>::Part)v); \
  }
#define HEDDLE_CC_LOAD_2(name, ptx, type, element, bits, constraint, keep, ...)          \
  HEDDLE_CC_FUNCTION type name(const type* p) {                                          \
    heddle_cc::Wide<element, sizeof(element)>::Register x, y;                            \
    asm keep("ld.global." ptx ".v2.b" #bits " {%0, %1}, [%2];"                           \
             : "=" constraint(x), "=" constraint(y)                                      \
             : HEDDLE_CC_ADDRESS(p) __VA_ARGS__);                                        \
    using Part = heddle_cc::Bits<sizeof(element)>::Part;                                 \
    return {__builtin_bit_cast(element, (Part)x), __builtin_bit_cast(element, (Part)y)}; \
  }
#define HEDDLE_CC_LOAD_4(name, ptx, type, element, bits, constraint, keep, ...)           \
  HEDDLE_CC_FUNCTION type name(const type* p) {                                           \
    heddle_cc::Wide<element, sizeof(element)>::Register x, y, z, w;                       \
    asm keep("ld.global." ptx ".v4.b" #bits " {%0, %1, %2, %3}, [%4];"                    \
             : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w) \
             : HEDDLE_CC_ADDRESS(p) __VA_ARGS__);                                         \
    using Part = heddle_cc::Bits<sizeof(element)>::Part;                                  \
    return {__builtin_bit_cast(element, (Part)x), __builtin_bit_cast(element, (Part)y),   \
            __builtin_bit_cast(element, (Part)z), __builtin_bit_cast(element, (Part)w)};  \
  }
#if __SIZEOF_LONG__ == 8
#define HEDDLE_CC_LONG_BITS 64, "l"
#else
#define HEDDLE_CC_LONG_BITS 32, "r"
#endif
#define HEDDLE_CC_APPLY(macro, ...) macro(__VA_ARGS__)
#define HEDDLE_CC_LOADS(name, ptx, keep, ...)                                                       \
  HEDDLE_CC_LOAD(name, ptx, char, 8, "h", keep, __VA_ARGS__)                                        \
  HEDDLE_CC_LOAD(name, ptx, signed char, 8, "h", keep, __VA_ARGS__)                                 \
  HEDDLE_CC_LOAD(name, ptx, unsigned char, 8, "h", keep, __VA_ARGS__)                               \
  HEDDLE_CC_LOAD(name, ptx, short, 16, "h", keep, __VA_ARGS__)                                      \
  HEDDLE_CC_LOAD(name, ptx, unsigned short, 16, "h", keep, __VA_ARGS__)                             \
  HEDDLE_CC_LOAD(name, ptx, int, 32, "r", keep, __VA_ARGS__)                                        \
  HEDDLE_CC_LOAD(name, ptx, unsigned, 32, "r", keep, __VA_ARGS__)                                   \
  HEDDLE_CC_APPLY(HEDDLE_CC_LOAD, name, ptx, long, HEDDLE_CC_LONG_BITS, keep, __VA_ARGS__)          \
  HEDDLE_CC_APPLY(HEDDLE_CC_LOAD, name, ptx, unsigned long, HEDDLE_CC_LONG_BITS, keep, __VA_ARGS__) \
  HEDDLE_CC_LOAD(name, ptx, long long, 64, "l", keep, __VA_ARGS__)                                  \
  HEDDLE_CC_LOAD(name, ptx, unsigned long long, 64, "l", keep, __VA_ARGS__)                         \
  HEDDLE_CC_LOAD(name, ptx, float, 32, "r", keep, __VA_ARGS__)                                      \
  HEDDLE_CC_LOAD(name, ptx, double, 64, "l", keep, __VA_ARGS__)                                     \
  HEDDLE_CC_LOAD_2(name, ptx, char2, signed char, 8, "h", keep, __VA_ARGS__)                        \
  HEDDLE_CC_LOAD_2(name, ptx, uchar2, unsigned char, 8, "h", keep, __VA_ARGS__)                     \
  HEDDLE_CC_LOAD_2(name, ptx, short2, short, 16, "h", keep, __VA_ARGS__)                            \
  HEDDLE_CC_LOAD_2(name, ptx, ushort2, unsigned short, 16, "h", keep, __VA_ARGS__)                  \
  HEDDLE_CC_LOAD_2(name, ptx, int2, int, 32, "r", keep, __VA_ARGS__)                                \
  HEDDLE_CC_LOAD_2(name, ptx, uint2, unsigned, 32, "r", keep, __VA_ARGS__)                          \
  HEDDLE_CC_LOAD_2(name, ptx, longlong2, long long, 64, "l", keep, __VA_ARGS__)                     \
  HEDDLE_CC_LOAD_2(name, ptx, ulonglong2, unsigned long long, 64, "l", keep, __VA_ARGS__)           \
  HEDDLE_CC_LOAD_2(name, ptx, float2, float, 32, "r", keep, __VA_ARGS__)                            \
  HEDDLE_CC_LOAD_2(name, ptx, double2, double, 64, "l", keep, __VA_ARGS__)                          \
  HEDDLE_CC_LOAD_4(name, ptx, char4, signed char, 8, "h", keep, __VA_ARGS__)                        \
  HEDDLE_CC_LOAD_4(name, ptx, uchar4, unsigned char, 8, "h", keep, __VA_ARGS__)                     \
  HEDDLE_CC_LOAD_4(name, ptx, short4, short, 16, "h", keep, __VA_ARGS__)                            \
  HEDDLE_CC_LOAD_4(name, ptx, ushort4, unsigned short, 16, "h", keep, __VA_ARGS__)                  \
  HEDDLE_CC_LOAD_4(name, ptx, int4, int, 32, "r", keep, __VA_ARGS__)                                \
  HEDDLE_CC_LOAD_4(name, ptx, uint4, unsigned, 32, "r", keep, __VA_ARGS__)                          \
  HEDDLE_CC_LOAD_4(name, ptx, float4, float, 32, "r", keep, __VA_ARGS__)

HEDDLE_CC_LOADS(__ldg, "nc", )
HEDDLE_CC_LOADS(__ldca, "ca", volatile, : "memory")
HEDDLE_CC_LOADS(__ldcg, "cg", volatile, : "memory")
HEDDLE_CC_LOADS(__ldcs, "cs", volatile, : "memory")
HEDDLE_CC_LOADS(__ldlu, "lu", volatile, : "memory")
HEDDLE_CC_LOADS(__ldcv, "cv", volatile, : "memory")

#define HEDDLE_CC_STORE(name, ptx, type, bits, constraint)                                                   \
  HEDDLE_CC_FUNCTION void name(type* p, type value) {                                                        \
    const heddle_cc::Wide<type, sizeof(type)>::Register v =                                                  \
        __builtin_bit_cast(heddle_cc::Bits<sizeof(type)>::Part, value);                                      \
    asm volatile("st.global." ptx ".b" #bits " [%0], %1;" ::HEDDLE_CC_ADDRESS(p), constraint(v) : "memory"); \
  }
#define HEDDLE_CC_STORE_2(name, ptx, type, element, bits, constraint)                      \
  HEDDLE_CC_FUNCTION void name(type* p, type value) {                                      \
    using Part = heddle_cc::Bits<sizeof(element)>::Part;                                   \
    using Register = heddle_cc::Wide<element, sizeof(element)>::Register;                  \
    asm volatile("st.global." ptx ".v2.b" #bits " [%0], {%1, %2};" ::HEDDLE_CC_ADDRESS(p), \
                 constraint((Register) __builtin_bit_cast(Part, value.x)),                 \
                 constraint((Register) __builtin_bit_cast(Part, value.y))                  \
                 : "memory");                                                              \
  }
#define HEDDLE_CC_STORE_4(name, ptx, type, element, bits, constraint)                              \
  HEDDLE_CC_FUNCTION void name(type* p, type value) {                                              \
    using Part = heddle_cc::Bits<sizeof(element)>::Part;                                           \
    using Register = heddle_cc::Wide<element, sizeof(element)>::Register;                          \
    asm volatile("st.global." ptx ".v4.b" #bits " [%0], {%1, %2, %3, %4};" ::HEDDLE_CC_ADDRESS(p), \
                 constraint((Register) __builtin_bit_cast(Part, value.x)),                         \
                 constraint((Register) __builtin_bit_cast(Part, value.y)),                         \
                 constraint((Register) __builtin_bit_cast(Part, value.z)),                         \
                 constraint((Register) __builtin_bit_cast(Part, value.w))                          \
                 : "memory");                                                                      \
  }
#define HEDDLE_CC_STORES(name, ptx)                                               \
  HEDDLE_CC_STORE(name, ptx, char, 8, "h")                                        \
  HEDDLE_CC_STORE(name, ptx, signed char, 8, "h")                                 \
  HEDDLE_CC_STORE(name, ptx, unsigned char, 8, "h")                               \
  HEDDLE_CC_STORE(name, ptx, short, 16, "h")                                      \
  HEDDLE_CC_STORE(name, ptx, unsigned short, 16, "h")                             \
  HEDDLE_CC_STORE(name, ptx, int, 32, "r")                                        \
  HEDDLE_CC_STORE(name, ptx, unsigned, 32, "r")                                   \
  HEDDLE_CC_APPLY(HEDDLE_CC_STORE, name, ptx, long, HEDDLE_CC_LONG_BITS)          \
  HEDDLE_CC_APPLY(HEDDLE_CC_STORE, name, ptx, unsigned long, HEDDLE_CC_LONG_BITS) \
  HEDDLE_CC_STORE(name, ptx, long long, 64, "l")                                  \
  HEDDLE_CC_STORE(name, ptx, unsigned long long, 64, "l")                         \
  HEDDLE_CC_STORE(name, ptx, float, 32, "r")                                      \
  HEDDLE_CC_STORE(name, ptx, double, 64, "l")                                     \
  HEDDLE_CC_STORE_2(name, ptx, int2, int, 32, "r")                                \
  HEDDLE_CC_STORE_2(name, ptx, uint2, unsigned, 32, "r")                          \
  HEDDLE_CC_STORE_2(name, ptx, float2, float, 32, "r")                            \
  HEDDLE_CC_STORE_2(name, ptx, double2, double, 64, "l")                          \
  HEDDLE_CC_STORE_2(name, ptx, longlong2, long long, 64, "l")                     \
  HEDDLE_CC_STORE_2(name, ptx, ulonglong2, unsigned long long, 64, "l")           \
  HEDDLE_CC_STORE_4(name, ptx, uchar4, unsigned char, 8, "h")                     \
  HEDDLE_CC_STORE_4(name, ptx, char4, signed char, 8, "h")                        \
  HEDDLE_CC_STORE_4(name, ptx, int4, int, 32, "r")                                \
  HEDDLE_CC_STORE_4(name, ptx, uint4, unsigned, 32, "r")                          \
  HEDDLE_CC_STORE_4(name, ptx, float4, float, 32, "r")
HEDDLE_CC_STORES(__stwb, "wb")
HEDDLE_CC_STORES(__stcg, "cg")
HEDDLE_CC_STORES(__stcs, "cs")
HEDDLE_CC_STORES(__stwt, "wt")
#undef HEDDLE_CC_LOAD
#undef HEDDLE_CC_LOAD_2
#undef HEDDLE_CC_LOAD_4
#undef HEDDLE_CC_LOADS
#undef HEDDLE_CC_STORE
#undef HEDDLE_CC_STORE_2
#undef HEDDLE_CC_STORE_4
#undef HEDDLE_CC_STORES
#undef HEDDLE_CC_LONG_BITS
#undef HEDDLE_CC_APPLY

HEDDLE_CC_FUNCTION void __prefetch_global_l1(const void* p) {
  asm volatile("prefetch.global.L1 [%0];" ::HEDDLE_CC_ADDRESS(p));
}
HEDDLE_CC_FUNCTION void __prefetch_global_l2(const void* p) {
  asm volatile("prefetch.global.L2 [%0];" ::HEDDLE_CC_ADDRESS(p));
}

HEDDLE_CC_FUNCTION void* memcpy(void* to, const void* from, size_t bytes) {
  char* const a = (char*)to;
  const char* const b = (const char*)from;
  if (__builtin_constant_p(bytes)) return __builtin_memcpy(to, from, bytes);
  for (size_t i = 0; i < bytes; ++i) a[i] = b[i];
  return to;
}
HEDDLE_CC_FUNCTION void* memmove(void* to, const void* from, size_t bytes) {
  char* const a = (char*)to;
  const char* const b = (const char*)from;
  if (a < b)
    for (size_t i = 0; i < bytes; ++i) a[i] = b[i];
  else
    for (size_t i = bytes; i-- > 0;) a[i] = b[i];
  return to;
}
HEDDLE_CC_FUNCTION void* memset(void* to, int value, size_t bytes) {
  char* const a = (char*)to;
  if (__builtin_constant_p(bytes) && bytes <= 256) return __builtin_memset(to, value, bytes);
  for (size_t i = 0; i < bytes; ++i) a[i] = (char)value;
  return to;
}
HEDDLE_CC_FUNCTION int memcmp(const void* a, const void* b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    const int difference = ((const unsigned char*)a)[i] - ((const unsigned char*)b)[i];
    if (difference != 0) return difference;
  }
  return 0;
}
