#include "models/reference/lane_work.h"

#include "models/core/host_vectors.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {
namespace {

/// All ones in the lanes that take the new value: made once for all words. Part by part without a loop, whose rounds would keep
/// them in memory.
struct Taken {
  HEDDLE_INLINE explicit Taken(LaneMask mask) {
    const LaneWords& bits = lane_words(kLaneBits.lane);
    part0 = reinterpret_cast<EightLanes>((bits.part[0] & mask) != 0);
    part1 = reinterpret_cast<EightLanes>((bits.part[1] & mask) != 0);
    part2 = reinterpret_cast<EightLanes>((bits.part[2] & mask) != 0);
    part3 = reinterpret_cast<EightLanes>((bits.part[3] & mask) != 0);
  }
  HEDDLE_INLINE void merge(LaneVec& into, const LaneVec& from) const {
    LaneWords& old = lane_words(into.lane);
    const LaneWords& words = lane_words(from.lane);
    old.part[0] = (words.part[0] & part0) | (old.part[0] & ~part0);
    old.part[1] = (words.part[1] & part1) | (old.part[1] & ~part1);
    old.part[2] = (words.part[2] & part2) | (old.part[2] & ~part2);
    old.part[3] = (words.part[3] & part3) | (old.part[3] & ~part3);
  }

  EightLanes part0, part1, part2, part3;
};

void merge_one_narrow(LaneVec& into, const LaneVec& from, LaneMask mask) { Taken(mask).merge(into, from); }
HEDDLE_AVX2 void merge_one_wide(LaneVec& into, const LaneVec& from, LaneMask mask) {
  Taken(mask).merge(into, from);
}
const auto merge_one = host_has_avx2() ? merge_one_wide : merge_one_narrow;

}  // namespace

void merge_words(LaneVec& into, const LaneVec& from, LaneMask mask) { merge_one(into, from, mask); }

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

void LaneWork::merge_narrow(std::span<const ResultWord> words, LaneVec* values, LaneMask mask) {
  const Taken taken(mask);
  for (const ResultWord& word : words) taken.merge(values[word.index], *word.apart);
}
HEDDLE_AVX2 void LaneWork::merge_wide(std::span<const ResultWord> words, LaneVec* values, LaneMask mask) {
  const Taken taken(mask);
  for (const ResultWord& word : words) taken.merge(values[word.index], *word.apart);
}

const LaneWork::Merge LaneWork::merge_here = host_has_avx2() ? merge_wide : merge_narrow;

}  // namespace heddle::reference
