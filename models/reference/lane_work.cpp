#include "models/reference/lane_work.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "models/reference/special_registers.h"

#define HEDDLE_WITH_AVX2 __attribute__((target("avx2")))

namespace heddle::reference {
namespace {

void merge_plain(LaneVec& into, const LaneVec& from, LaneMask mask) { merge_lanes(into, from, mask); }

#if defined(__x86_64__)
HEDDLE_WITH_AVX2 void merge_avx2(LaneVec& into, const LaneVec& from, LaneMask mask) {
  merge_lanes(into, from, mask);
}
const auto merge_here = __builtin_cpu_supports("avx2") ? merge_avx2 : merge_plain;
#else
const auto merge_here = merge_plain;
#endif

}  // namespace

void merge_words(LaneVec& into, const LaneVec& from, LaneMask mask) { merge_here(into, from, mask); }

LaneMask mask_of(const Source& source, std::span<const LaneMask> predicates) {
  if (source.kind == Source::Kind::predicate_pool) return source.index;
  if (source.kind != Source::Kind::predicate) return 0;
  const LaneMask mask = predicates[source.index];
  return source.negated ? ~mask : mask;
}

LaneWork::LaneWork(const DecodedProgram& program) : all_(program.code.size()) {
  const auto words_of = [](const auto& operand) { return operand.wide ? 2u : 1u; };
  std::vector<std::size_t> sources, results;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const DecodedInstruction& d = program.code[i];
    Work& work = all_[i];
    for (int s = 0; s < d.num_src; ++s) {
      const Source& source = d.src[s];
      const LaneVec** const operand = work.operands.src[s];
      if (source.kind == Source::Kind::predicate_pool) work.operands.pred_src[s] = source.index;
      for (std::uint32_t word = 0; word < words_of(source); ++word) {
        if (source.kind == Source::Kind::pool) operand[word] = &program.pool[source.index + word];
        if (source.kind == Source::Kind::warp) sources_.push_back({operand + word, source.index + word});
      }
    }
    for (int t = 0; t < d.num_dst; ++t) {
      const Destination& to = d.dst[t];
      if (to.kind != Destination::Kind::reg) continue;
      for (std::uint32_t word = 0; word < words_of(to); ++word)
        result_words_.push_back({work.operands.dst[t] + word, to.index + word, &results_[t][word]});
    }
    sources.push_back(sources_.size());
    results.push_back(result_words_.size());
  }
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto of = [i](const auto& words, const std::vector<std::size_t>& ends) {
      const std::size_t first = i == 0 ? 0 : ends[i - 1];
      return std::span(words).subspan(first, ends[i] - first);
    };
    all_[i].sources = of(sources_, sources);
    all_[i].results = of(result_words_, results);
  }
}

void LaneWork::bind(Work& work, bool in_place) {
  LaneVec* const values = values_;
  work.values = values;
  work.in_place = in_place;
  for (const SourceWord& word : work.sources) *word.operand = values + word.index;
  for (const ResultWord& word : work.results) *word.operand = in_place ? values + word.index : word.apart;
}

void LaneWork::execute_with_masks(const DecodedInstruction& d, Work& work, LaneMask executing,
                                  std::uint64_t steps) {
  isa::LaneOperands& operands = work.operands;
  for (int s = 0; s < d.num_src; ++s) {
    const Source& source = d.src[s];
    if (source.kind == Source::Kind::predicate) {
      operands.pred_src[s] = mask_of(source, predicates_);
    } else if (source.kind == Source::Kind::counter) {
      fill_counter(static_cast<isa::SpecialRegister>(source.index), steps, counter_);
      operands.src[s][0] = counter_;
      operands.src[s][1] = source.wide ? counter_ + 1 : nullptr;
    }
  }
  for (int t = 0; t < d.num_dst; ++t) operands.pred_dst[t] = 0;
  d.function(*d.instruction, operands);
  if (!work.in_place) merge_here(work.results, values_, executing);
  for (int t = 0; t < d.num_dst; ++t) {
    if (d.dst[t].kind != Destination::Kind::predicate) continue;
    LaneMask& predicate = predicates_[d.dst[t].index];
    predicate = (predicate & ~executing) | (operands.pred_dst[t] & executing);
  }
}

void LaneWork::merge_plain(std::span<const ResultWord> words, LaneVec* values, LaneMask mask) {
  for (const ResultWord& word : words) merge_lanes(values[word.index], *word.apart, mask);
}

#if defined(__x86_64__)
// Written out: four masks stay in registers for all words.
HEDDLE_WITH_AVX2 void LaneWork::merge_avx2(std::span<const ResultWord> words, LaneVec* values,
                                           LaneMask mask) {
  const __m256i lanes = _mm256_set1_epi32(static_cast<int>(mask));
  const auto* const bits = reinterpret_cast<const __m256i*>(kLaneBits.lane);
  const __m256i take0 = _mm256_cmpeq_epi32(_mm256_and_si256(lanes, bits[0]), bits[0]),
                take1 = _mm256_cmpeq_epi32(_mm256_and_si256(lanes, bits[1]), bits[1]),
                take2 = _mm256_cmpeq_epi32(_mm256_and_si256(lanes, bits[2]), bits[2]),
                take3 = _mm256_cmpeq_epi32(_mm256_and_si256(lanes, bits[3]), bits[3]);
  for (const ResultWord& word : words) {
    auto* const into = reinterpret_cast<__m256i*>(values[word.index].lane);
    const auto* const from = reinterpret_cast<const __m256i*>(word.apart->lane);
    into[0] = _mm256_blendv_epi8(into[0], from[0], take0);
    into[1] = _mm256_blendv_epi8(into[1], from[1], take1);
    into[2] = _mm256_blendv_epi8(into[2], from[2], take2);
    into[3] = _mm256_blendv_epi8(into[3], from[3], take3);
  }
}
#else
void LaneWork::merge_avx2(std::span<const ResultWord> words, LaneVec* values, LaneMask mask) {
  merge_plain(words, values, mask);
}
#endif

const LaneWork::Merge LaneWork::merge_here =
#if defined(__x86_64__)
    __builtin_cpu_supports("avx2") ? merge_avx2 :
#endif
                                   merge_plain;

}  // namespace heddle::reference
