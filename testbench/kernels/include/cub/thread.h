// SPDX-License-Identifier: Apache-2.0
// cub's loads and stores of one thread with a cache hint (CUB's documentation, "Thread-level I/O").
#pragma once

#include "../../heddle_cc.h"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

}  // namespace cub

namespace heddle_cc {

/// Loads or stores a word of `bytes` bytes, in any state space. `hint` is the cache modifier, such as `ld.cg`.
template <cub::CacheLoadModifier hint, int bytes>
struct HintedLoad;
template <cub::CacheStoreModifier hint, int bytes>
struct HintedStore;
#define HEDDLE_CC_HINTED_LOAD(hint, ptx, size, constraint)                                        \
  template <>                                                                                     \
  struct HintedLoad<cub::hint, size> {                                                            \
    static __device__ __forceinline__ Bits<size>::Part load(const void* p) {                      \
      Wide<unsigned, size>::Register v;                                                           \
      asm volatile("ld." ptx " %0, [%1];" : "=" constraint(v) : HEDDLE_CC_ADDRESS(p) : "memory"); \
      return (Bits<size>::Part)v;                                                                 \
    }                                                                                             \
  };
#define HEDDLE_CC_HINTED_STORE(hint, ptx, size, constraint)                                  \
  template <>                                                                                \
  struct HintedStore<cub::hint, size> {                                                      \
    static __device__ __forceinline__ void store(void* p, Bits<size>::Part value) {          \
      const Wide<unsigned, size>::Register v = value;                                        \
      asm volatile("st." ptx " [%0], %1;" ::HEDDLE_CC_ADDRESS(p), constraint(v) : "memory"); \
    }                                                                                        \
  };
#define HEDDLE_CC_HINTED(kind, hint, ptx)                                                            \
  HEDDLE_CC_HINTED_##kind(hint, ptx ".b8", 1, "h") HEDDLE_CC_HINTED_##kind(hint, ptx ".b16", 2, "h") \
      HEDDLE_CC_HINTED_##kind(hint, ptx ".b32", 4, "r") HEDDLE_CC_HINTED_##kind(hint, ptx ".b64", 8, "l")
HEDDLE_CC_HINTED(LOAD, LOAD_CA, "ca")
HEDDLE_CC_HINTED(LOAD, LOAD_CG, "cg")
HEDDLE_CC_HINTED(LOAD, LOAD_CS, "cs")
HEDDLE_CC_HINTED(LOAD, LOAD_CV, "cv")
HEDDLE_CC_HINTED(LOAD, LOAD_LDG, "global.nc")
HEDDLE_CC_HINTED(LOAD, LOAD_VOLATILE, "volatile")
HEDDLE_CC_HINTED(STORE, STORE_WB, "wb")
HEDDLE_CC_HINTED(STORE, STORE_CG, "cg")
HEDDLE_CC_HINTED(STORE, STORE_CS, "cs")
HEDDLE_CC_HINTED(STORE, STORE_WT, "wt")
HEDDLE_CC_HINTED(STORE, STORE_VOLATILE, "volatile")
#undef HEDDLE_CC_HINTED
#undef HEDDLE_CC_HINTED_LOAD
#undef HEDDLE_CC_HINTED_STORE

/// A value of type T as an array of words. The words have the largest size, up to 8 bytes, that T's alignment allows.
template <class T>
struct AlignedWords {
  static constexpr int bytes = alignof(T) > 8 ? 8 : alignof(T), count = sizeof(T) / bytes;
  typename Bits<bytes>::Part at[count];
};

template <cub::CacheLoadModifier hint>
struct Loader {
  template <class It>
  static __device__ __forceinline__ auto load(It from) {
    return *from;
  }
  template <class T>
  static __device__ __forceinline__ T load(const T* from) {
    using W = AlignedWords<T>;
    W words;
#pragma unroll
    for (int i = 0; i < W::count; ++i)
      words.at[i] = HintedLoad<hint, W::bytes>::load((const char*)from + i * W::bytes);
    T value;
    memcpy(&value, &words, sizeof(T));
    return value;
  }
  template <class T>
  static __device__ __forceinline__ T load(T* from) {
    return load((const T*)from);
  }
};
template <>
struct Loader<cub::LOAD_DEFAULT> {
  template <class It>
  static __device__ __forceinline__ auto load(It from) {
    return *from;
  }
};

template <cub::CacheStoreModifier hint>
struct Storer {
  template <class It, class T>
  static __device__ __forceinline__ void store(It to, T value) {
    *to = value;
  }
  template <class T, class From>
  static __device__ __forceinline__ void store(T* to, From from) {
    using W = AlignedWords<T>;
    W words;
    const T value = from;
    memcpy(&words, &value, sizeof(T));
#pragma unroll
    for (int i = 0; i < W::count; ++i)
      HintedStore<hint, W::bytes>::store((char*)to + i * W::bytes, words.at[i]);
  }
};
template <>
struct Storer<cub::STORE_DEFAULT> {
  template <class It, class T>
  static __device__ __forceinline__ void store(It to, T value) {
    *to = value;
  }
};

}  // namespace heddle_cc

namespace cub {

template <CacheLoadModifier hint, class It>
static __device__ __forceinline__ auto ThreadLoad(It from) {
  return heddle_cc::Loader<hint>::load(from);
}
template <CacheStoreModifier hint, class It, class T>
static __device__ __forceinline__ void ThreadStore(It to, T value) {
  heddle_cc::Storer<hint>::store(to, value);
}

}  // namespace cub
