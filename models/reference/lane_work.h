#pragma once

// The arithmetic of a program's instructions on the values of warps. What is equal in all warps stands in its place from the
// beginning; where a warp's own values lie is put there when another warp comes.

#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/lane_operands.h"
#include "models/reference/decoded_program.h"

namespace heddle::reference {

/// Lanes of `mask` take the new value, as merge_lanes.
void merge_words(LaneVec& into, const LaneVec& from, LaneMask mask);

/// What a predicate source holds; none: no lane.
LaneMask mask_of(const Source& source, std::span<const LaneMask> predicates);

class LaneWork {
 public:
  /// The program stays where it is.
  explicit LaneWork(const DecodedProgram& program);
  LaneWork(const LaneWork&) = delete;
  LaneWork& operator=(const LaneWork&) = delete;

  /// Whose instructions follow.
  void enter(LaneVec* values, std::span<LaneMask> predicates) {
    values_ = values;
    predicates_ = predicates;
  }
  /// Executes an instruction whose action is `lanes`; its place in the program. `steps` is what counters show.
  void execute(const DecodedInstruction& d, std::size_t at, LaneMask executing, std::uint64_t steps) {
    Work& work = all_[at];
    const bool in_place = d.in_place && executing == kAllLanes;
    if (work.values != values_ || work.in_place != in_place) bind(work, in_place);
    work.operands.active = executing;
    if (!d.plain) return execute_with_masks(d, work, executing, steps);
    d.function(*d.instruction, work.operands);
    if (!in_place) merge_here(work.results, values_, executing);
  }

 private:
  /// A word of a warp, and where it is named.
  struct SourceWord {
    const LaneVec** operand;
    std::uint32_t index;
  };
  struct ResultWord {
    LaneVec** operand;
    std::uint32_t index;
    LaneVec* apart;  ///< where it is made if it must not be made in its place
  };
  struct Work {
    isa::LaneOperands operands;
    const LaneVec* values = nullptr;  ///< those that it stands on; nullptr: none yet
    bool in_place = false;
    std::span<const SourceWord> sources;
    std::span<const ResultWord> results;
  };
  void bind(Work& work, bool in_place);
  void execute_with_masks(const DecodedInstruction& d, Work& work, LaneMask executing, std::uint64_t steps);
  /// Results that are made apart come to their places, in lanes of the mask.
  using Merge = void (*)(std::span<const ResultWord> words, LaneVec* values, LaneMask mask);
  static const Merge merge_here;
  static void merge_narrow(std::span<const ResultWord> words, LaneVec* values, LaneMask mask);
  static void merge_wide(std::span<const ResultWord> words, LaneVec* values, LaneMask mask);

  LaneVec* values_ = nullptr;
  std::span<LaneMask> predicates_;
  std::vector<Work> all_;
  std::vector<SourceWord> sources_;
  std::vector<ResultWord> result_words_;
  LaneVec results_[isa::kMaxDestinations][2];
  LaneVec counter_[2];
};

}  // namespace heddle::reference
