#include "models/reference/lane_work.h"

#include <algorithm>

namespace heddle::reference {

LaneMask mask_of(const Source& source, std::span<const LaneMask> predicates) {
  if (source.kind == Source::Kind::predicate_pool) return source.index;
  if (source.kind != Source::Kind::predicate) return 0;
  const LaneMask mask = predicates[source.index];
  return source.negated ? ~mask : mask;
}

namespace {

/// Returns the offset of word `index` in the values of a warp, as a pointer. execute() adds the address of
/// the values of the warp that enter() has selected.
LaneVec* word_of_none(std::uint32_t index) {
  return reinterpret_cast<LaneVec*>(std::uintptr_t{index} * sizeof(LaneVec));
}

}  // namespace

LaneWork::LaneWork(const DecodedProgram& program, const isa::MatrixRules& matrix)
    : all_(program.code.size()) {
  constexpr std::uint32_t kPointers = 2;
  std::vector<std::size_t> results, masks;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const DecodedInstruction& d = program.code[i];
    Work& work = all_[i];
    work.operands.matrix = &matrix;
    const auto moves = [&work](const auto& operand) {
      work.moving[work.moved++] = static_cast<std::uint8_t>(reinterpret_cast<const char*>(&operand) -
                                                            reinterpret_cast<const char*>(&work.operands));
    };
    for (int s = 0; s < d.num_src; ++s) {
      const Source& source = d.src[s];
      const LaneVec** const operand = work.operands.src[s];
      if (source.kind == Source::Kind::predicate_pool) work.operands.pred_src[s] = source.index;
      if (source.kind == Source::Kind::predicate || source.kind == Source::Kind::counter)
        mask_operands_.push_back({s, &source});
      for (std::uint32_t word = 0; word < std::min<std::uint32_t>(source.words, kPointers); ++word) {
        if (source.kind == Source::Kind::pool) operand[word] = &program.pool[source.index + word];
        if (source.kind != Source::Kind::warp) continue;
        operand[word] = word_of_none(source.index + word);
        moves(operand[word]);
      }
    }
    std::uint32_t apart = program.apart;
    for (int t = 0; t < d.num_dst; ++t) {
      const Destination& to = d.dst[t];
      if (to.kind != Destination::Kind::reg) continue;
      for (std::uint32_t word = 0; word < to.words; ++word, ++apart) {
        LaneVec** const operand = word < kPointers ? work.operands.dst[t] + word : nullptr;
        result_words_.push_back({operand, to.index + word, apart});
        if (!operand) continue;
        *operand = word_of_none(apart);
        moves(*operand);
      }
    }
    while (work.moved % kTogether != 0) moves(work.spare);
    results.push_back(result_words_.size());
    masks.push_back(mask_operands_.size());
  }
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto of = [i](const auto& words, const std::vector<std::size_t>& ends) {
      const std::size_t first = i == 0 ? 0 : ends[i - 1];
      return std::span(words).subspan(first, ends[i] - first);
    };
    all_[i].results = of(result_words_, results);
    all_[i].masks = of(mask_operands_, masks);
  }
}

void LaneWork::put_results(Work& work, bool in_place) {
  work.in_place = in_place;
  for (const ResultWord& word : work.results)
    if (word.operand) *word.operand = values_ + (in_place ? word.index : word.apart);
}

void LaneWork::execute_apart(const DecodedInstruction& d, Work& work, LaneMask executing) {
  const bool in_place = place_results(d, work, executing);
  d.function(*d.instruction, work.operands);
  if (!in_place) merge_results(work, executing);
}

void LaneWork::execute_with_masks(const DecodedInstruction& d, Work& work, LaneMask executing,
                                  std::uint64_t steps) {
  const bool in_place = place_results(d, work, executing);
  isa::LaneOperands& operands = work.operands;
  for (const auto& [s, source] : work.masks) {
    if (source->kind == Source::Kind::predicate) {
      operands.pred_src[s] = mask_of(*source, predicates_);
    } else {
      fill_counter(static_cast<isa::SpecialRegister>(source->index), *d.instruction, executing, *clock_,
                   steps, counter_);
      operands.src[s][0] = counter_;
      operands.src[s][1] = source->wide ? counter_ + 1 : nullptr;
    }
  }
  for (int t = 0; t < d.num_dst; ++t) operands.pred_dst[t] = 0;
  d.function(*d.instruction, operands);
  if (!in_place) merge_results(work, executing);
  for (int t = 0; t < d.num_dst; ++t) {
    if (d.dst[t].kind != Destination::Kind::predicate) continue;
    LaneMask& predicate = predicates_[d.dst[t].index];
    predicate = (predicate & ~executing) | (operands.pred_dst[t] & executing);
  }
}

}  // namespace heddle::reference
