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

  /// Executes an instruction whose action is `lanes`. `steps` is what counters show.
  void execute(const DecodedInstruction& d, LaneVec* values, std::span<LaneMask> predicates,
               LaneMask executing, std::uint64_t steps) {
    Work& work = all_[static_cast<std::size_t>(&d - code_)];
    const bool in_place = d.in_place && executing == kAllLanes;
    if (work.values != values || work.in_place != in_place) bind(work, values, in_place);
    work.operands.active = executing;
    if (d.plain) {
      d.function(*d.instruction, work.operands);
      if (!in_place) merge(d, values, executing);
    } else {
      execute_with_masks(d, work, {values, predicates, executing, steps});
    }
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
    std::uint32_t first_source = 0, end_source = 0, first_result = 0, end_result = 0;
  };
  struct Warp {
    LaneVec* values;
    std::span<LaneMask> predicates;
    LaneMask executing;
    std::uint64_t steps;
  };
  void bind(Work& work, LaneVec* values, bool in_place);
  void execute_with_masks(const DecodedInstruction& d, Work& work, const Warp& warp);
  void merge(const DecodedInstruction& d, LaneVec* values, LaneMask executing) const;

  const DecodedInstruction* code_;
  std::vector<Work> all_;
  std::vector<SourceWord> sources_;
  std::vector<ResultWord> result_words_;
  LaneVec results_[isa::kMaxDestinations][2];
  LaneVec counter_[2];
};

}  // namespace heddle::reference
