#include "models/core/lane_plan.h"

#include "models/core/host_vectors.h"

namespace heddle {
namespace {

void take_plain(LaneVec& into, const LaneVec& values, const LanePass& pass) {
  into.fill(kPoison);
  for (LaneMask rest = pass.lanes; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    into[lane] = values[pass.thread_of(lane)];
  }
}

#if HEDDLE_HOST_X86
HEDDLE_AVX2 void take_gather(LaneVec& into, const LaneVec& values, const LanePass& pass) {
  const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i poison = _mm256_set1_epi32(static_cast<int>(kPoison));
  for (int i = 0; i < kLanes; i += 8) {
    const __m256i group = _mm256_set1_epi32(static_cast<int>(pass.lanes >> i & 0xff));
    const __m256i fed = _mm256_cmpeq_epi32(_mm256_and_si256(group, bits), bits);
    const __m256i threads =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(pass.from.data() + i)));
    _mm256_store_si256(
        reinterpret_cast<__m256i*>(into.lane + i),
        _mm256_mask_i32gather_epi32(poison, reinterpret_cast<const int*>(values.lane), threads, fed, 4));
  }
}
const auto take_threads = host_has_avx2() ? take_gather : take_plain;
#else
constexpr auto take_threads = take_plain;
#endif

}  // namespace

void gather(LaneVec& into, const LaneVec& values, const LanePass& pass) { take_threads(into, values, pass); }

}  // namespace heddle
