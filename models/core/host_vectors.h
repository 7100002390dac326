#pragma once

// Support for loops over the lanes of a warp that are compiled twice: for all hosts, and for hosts with AVX2.
// host_has_avx2() selects the version once.

#include <cstdint>
#include <cstring>

#include "models/core/always_inline.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HEDDLE_HOST_X86 1
#define HEDDLE_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#else
#define HEDDLE_HOST_X86 0
#define HEDDLE_AVX2
#endif

namespace heddle {

inline bool host_has_avx2() {
#if HEDDLE_HOST_X86
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}

/// Eight lanes: one vector register with AVX2, several without.
using EightLanes = std::uint32_t __attribute__((vector_size(32), may_alias));

/// Returns the OR of the eight words.
HEDDLE_INLINE std::uint32_t joined(const EightLanes& lanes) {
  std::uint64_t words[4];
  static_assert(sizeof words == sizeof lanes);
  std::memcpy(words, &lanes, sizeof words);
  const std::uint64_t all = words[0] | words[1] | words[2] | words[3];
  return static_cast<std::uint32_t>(all | all >> 32);
}

/// The words of 32 lanes, aligned as LaneVec.
struct LaneWords {
  static constexpr int kParts = 4;
  EightLanes part[kParts];
};
inline LaneWords& lane_words(std::uint32_t* lanes) { return *reinterpret_cast<LaneWords*>(lanes); }
inline const LaneWords& lane_words(const std::uint32_t* lanes) {
  return *reinterpret_cast<const LaneWords*>(lanes);
}

}  // namespace heddle
