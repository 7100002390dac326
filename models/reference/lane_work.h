#pragma once

// The arithmetic of a program's instructions on the values of warps. What is equal in all warps stands in its place from the
// beginning; pointers to a warp's own values move along when another warp comes.

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "models/core/host_vectors.h"
#include "models/isa/lane_operands.h"
#include "models/reference/decoded_program.h"

namespace heddle::reference {

/// Lanes of `mask` take the new value, as merge_lanes.
void merge_words(LaneVec& into, const LaneVec& from, LaneMask mask);

/// Lanes in which a predicate source is true; none without a predicate.
LaneMask mask_of(const Source& source, std::span<const LaneMask> predicates);

class LaneWork {
 public:
  /// The program stays where it is.
  explicit LaneWork(const DecodedProgram& program);
  LaneWork(const LaneWork&) = delete;
  LaneWork& operator=(const LaneWork&) = delete;

  /// Warp of the following instructions: values of DecodedProgram::values words.
  void enter(LaneVec* values, std::span<LaneMask> predicates) {
    values_ = values;
    predicates_ = predicates;
  }
  /// Executes an instruction whose action is `lanes`; its place in the program. `steps` is what counters show.
  HEDDLE_INLINE void execute(const DecodedInstruction& d, std::size_t at, LaneMask executing,
                             std::uint64_t steps) {
    Work& work = all_[at];
    if (work.values != values_) move(work);
    const bool in_place = d.in_place && executing == kAllLanes;
    if (work.in_place != in_place) put_results(work, in_place);
    work.operands.active = executing;
    if (!d.plain) return execute_with_masks(d, work, executing, steps);
    d.function(*d.instruction, work.operands);
    if (!in_place) merge_here(work.results, values_, executing, taken_);
  }

 private:
  /// A word of the warp that a result is for, and the one where it is made if it must not be made in its place.
  struct ResultWord {
    LaneVec** operand;
    std::uint32_t index, apart;
  };
  /// An operand that is a predicate or a counter.
  struct MaskOperand {
    int slot;
    const Source* source;
  };
  static constexpr int kTogether = 4;
  struct Work {
    isa::LaneOperands operands;
    const LaneVec* spare = nullptr;
    const LaneVec* values = nullptr;  ///< those that it stands on; nullptr: none yet
    bool in_place = false;
    std::uint8_t moved = 0;
    /// Pointers to words of the warp, some together: by their distance from the operands; what is left of a group is `spare`.
    std::array<std::uint8_t, 2 * (isa::kMaxSources + isa::kMaxDestinations) + kTogether> moving;
    std::span<const ResultWord> results;
    std::span<const MaskOperand> masks;
  };
  HEDDLE_INLINE void move(Work& work) {
    const auto by = reinterpret_cast<std::uintptr_t>(values_) - reinterpret_cast<std::uintptr_t>(work.values);
    work.values = values_;
    char* const operands = reinterpret_cast<char*>(&work.operands);
    const auto move_one = [by, operands](std::uint8_t pointer) {
      std::uintptr_t at;
      std::memcpy(&at, operands + pointer, sizeof at);
      at += by;
      std::memcpy(operands + pointer, &at, sizeof at);
    };
    for (const std::uint8_t *next = work.moving.data(), *end = next + work.moved; next != end;
         next += kTogether) {
      move_one(next[0]);
      move_one(next[1]);
      move_one(next[2]);
      move_one(next[3]);
    }
  }
  static_assert(sizeof(isa::LaneOperands) < 256);
  void put_results(Work& work, bool in_place);
  void execute_with_masks(const DecodedInstruction& d, Work& work, LaneMask executing, std::uint64_t steps);
  /// All ones in the lanes of the last mask.
  struct Taken {
    LaneMask mask = 0;
    LaneWords lanes{};
  };
  /// Results that are made apart come to their places, in lanes of the mask.
  using Merge = void (*)(std::span<const ResultWord> words, LaneVec* values, LaneMask mask, Taken& taken);
  static const Merge merge_here;
  static void merge_narrow(std::span<const ResultWord> words, LaneVec* values, LaneMask mask, Taken& taken);
  static void merge_wide(std::span<const ResultWord> words, LaneVec* values, LaneMask mask, Taken& taken);

  LaneVec* values_ = nullptr;
  std::span<LaneMask> predicates_;
  Taken taken_;
  std::vector<Work> all_;
  std::vector<ResultWord> result_words_;
  std::vector<MaskOperand> mask_operands_;
  LaneVec counter_[2];
};

}  // namespace heddle::reference
