#include "models/reference/lane_work.h"

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

LaneWork::LaneWork(const DecodedProgram& program) : code_(program.code.data()), all_(program.code.size()) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const DecodedInstruction& d = program.code[i];
    Work& work = all_[i];
    work.first_source = static_cast<std::uint32_t>(sources_.size());
    for (int s = 0; s < d.num_src; ++s) {
      const Source& source = d.src[s];
      const LaneVec** const operand = work.operands.src[s];
      if (source.kind == Source::Kind::predicate_pool) work.operands.pred_src[s] = source.index;
      for (std::uint32_t word = 0; word < (source.wide ? 2u : 1u); ++word) {
        if (source.kind == Source::Kind::pool) operand[word] = &program.pool[source.index + word];
        if (source.kind == Source::Kind::warp) sources_.push_back({operand + word, source.index + word});
      }
    }
    work.end_source = static_cast<std::uint32_t>(sources_.size());
    work.first_result = static_cast<std::uint32_t>(result_words_.size());
    for (int t = 0; t < d.num_dst; ++t) {
      const Destination& to = d.dst[t];
      if (to.kind != Destination::Kind::reg) continue;
      for (std::uint32_t word = 0; word < (to.wide ? 2u : 1u); ++word)
        result_words_.push_back({work.operands.dst[t] + word, to.index + word, &results_[t][word]});
    }
    work.end_result = static_cast<std::uint32_t>(result_words_.size());
  }
}

void LaneWork::bind(Work& work, LaneVec* values, bool in_place) {
  work.values = values;
  work.in_place = in_place;
  for (std::uint32_t s = work.first_source; s != work.end_source; ++s)
    *sources_[s].operand = values + sources_[s].index;
  for (std::uint32_t r = work.first_result; r != work.end_result; ++r) {
    const ResultWord& word = result_words_[r];
    *word.operand = in_place ? values + word.index : word.apart;
  }
}

void LaneWork::execute_with_masks(const DecodedInstruction& d, Work& work, const Warp& warp) {
  isa::LaneOperands& operands = work.operands;
  for (int s = 0; s < d.num_src; ++s) {
    const Source& source = d.src[s];
    if (source.kind == Source::Kind::predicate) {
      operands.pred_src[s] = mask_of(source, warp.predicates);
    } else if (source.kind == Source::Kind::counter) {
      fill_counter(static_cast<isa::SpecialRegister>(source.index), warp.steps, counter_);
      operands.src[s][0] = counter_;
      operands.src[s][1] = source.wide ? counter_ + 1 : nullptr;
    }
  }
  for (LaneMask& mask : operands.pred_dst) mask = 0;
  d.function(*d.instruction, operands);
  if (!work.in_place) merge(d, warp.values, warp.executing);
  for (int t = 0; t < d.num_dst; ++t) {
    if (d.dst[t].kind != Destination::Kind::predicate) continue;
    LaneMask& predicate = warp.predicates[d.dst[t].index];
    predicate = (predicate & ~warp.executing) | (operands.pred_dst[t] & warp.executing);
  }
}

void LaneWork::merge(const DecodedInstruction& d, LaneVec* values, LaneMask executing) const {
  for (int t = 0; t < d.num_dst; ++t) {
    const Destination& to = d.dst[t];
    if (to.kind != Destination::Kind::reg) continue;
    merge_here(values[to.index], results_[t][0], executing);
    if (to.wide) merge_here(values[to.index + 1], results_[t][1], executing);
  }
}

}  // namespace heddle::reference
