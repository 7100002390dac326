#pragma once

// Executes arithmetic instructions on the values of warps. The pointers to the operands of each instruction are
// prepared once, and shifted to the values of another warp when that warp executes the instruction.

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "models/isa/lane_operands.h"
#include "models/isa/rows.h"
#include "models/reference/decoded_program.h"
#include "models/reference/special_registers.h"

namespace heddle::reference {

LaneMask mask_of(const Source& source, std::span<const LaneMask> predicates);

class LaneWork {
 public:
  /// Prepares the operands of all instructions. `program` and `matrix` must not move while this object
  /// exists.
  LaneWork(const DecodedProgram& program, const isa::MatrixRules& matrix);
  LaneWork(const LaneWork&) = delete;
  LaneWork& operator=(const LaneWork&) = delete;

  /// Selects the warp that executes the following instructions. `values` has DecodedProgram::values words.
  void enter(LaneVec* values, std::span<LaneMask> predicates, const WarpClock& clock) {
    values_ = values;
    predicates_ = predicates;
    clock_ = &clock;
  }
  /// Executes an instruction for the selected warp. `at`: index of the instruction in the program. `steps`:
  /// value of the clock registers.
  void execute(const DecodedInstruction& d, std::size_t at, LaneMask executing, std::uint64_t steps) {
    Work& work = all_[at];
    if (work.values != values_) move(work);
    work.operands.active = executing;
    if (!d.plain) return execute_with_masks(d, work, executing, steps);
    if (!(work.in_place && d.in_place && executing == kAllLanes)) return execute_apart(d, work, executing);
    // The frequent case ends in this call. All other cases are in separate functions, because the compiler
    // would otherwise save host registers in the frequent case, too.
    d.function(*d.instruction, work.operands);
  }

 private:
  struct ResultWord {
    /// Pointer in LaneOperands through which the lane function writes the result word. nullptr: the third or a
    /// later word of an operand, for which LaneOperands has no pointer.
    LaneVec** operand;
    std::uint32_t index, apart;
  };
  struct MaskOperand {
    int slot;
    const Source* source;
  };
  static constexpr int kTogether = 4;
  struct Work {
    isa::LaneOperands operands;
    const LaneVec* spare = nullptr;
    const LaneVec* values = nullptr;
    bool in_place = false;
    std::uint8_t moved = 0;
    /// Byte offsets in `operands` of the pointers that must be shifted for another warp, in groups of
    /// kTogether. The offset of the unused pointer `spare` fills the last group.
    std::array<std::uint8_t, 2 * (isa::kMaxSources + isa::kMaxDestinations) + kTogether> moving;
    std::span<const ResultWord> results;
    std::span<const MaskOperand> masks;
  };
  void move(Work& work) {
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
  /// Decides where the instruction writes its results. Returns true if the instruction writes directly into its
  /// destination registers. Otherwise the instruction writes to temporary words, from which merge_results()
  /// copies the results.
  bool place_results(const DecodedInstruction& d, Work& work, LaneMask executing) {
    const bool in_place = d.in_place && executing == kAllLanes;
    if (work.in_place != in_place) put_results(work, in_place);
    return in_place;
  }
  void put_results(Work& work, bool in_place);
  void execute_apart(const DecodedInstruction& d, Work& work, LaneMask executing);
  void execute_with_masks(const DecodedInstruction& d, Work& work, LaneMask executing, std::uint64_t steps);
  void merge_results(const Work& work, LaneMask executing) {
    for (const ResultWord& word : work.results)
      isa::kRows.merge(values_[word.index], values_[word.apart], executing);
  }

  LaneVec* values_ = nullptr;
  std::span<LaneMask> predicates_;
  const WarpClock* clock_ = nullptr;
  std::vector<Work> all_;
  std::vector<ResultWord> result_words_;
  std::vector<MaskOperand> mask_operands_;
  LaneVec counter_[2];
};

}  // namespace heddle::reference
