#pragma once

// Builds one instruction with operands, and executes the lane function of the instruction. A test needs to
// provide only inputs and expected results.

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/isa/lanes/lane_sets.h"
#include "models/isa/operand_shape.h"

namespace heddle::isa::test {

inline Modifiers with(void (*set)(Modifiers&)) {
  Modifiers m;
  set(m);
  return m;
}

inline std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }
inline std::uint64_t bits(double v) { return std::bit_cast<std::uint64_t>(v); }

/// An instruction with storage for its operands: exactly the operands and 32-bit words that the instruction
/// needs.
class LaneRunner {
 public:
  /// Builds the instruction. `result_bits`: register width in bits, if the result is wider than its type.
  /// `parts`: number of parts of pack and unpack.
  LaneRunner(Opcode op, DataType type, Modifiers modifiers = {}, DataType source_type = DataType::none,
             int result_bits = 0, int parts = 0) {
    instruction_.op = op;
    instruction_.type = type;
    instruction_.source_type = source_type == DataType::none ? type : source_type;
    instruction_.modifiers = modifiers;
    result_bits_ = result_bits;
    instruction_.num_src = instruction_.num_dst = static_cast<std::uint8_t>(parts);
    const OperandShape shape = operand_shape(instruction_);
    instruction_.num_src = instruction_.num_dst = 0;
    add_operands(shape);
  }
  LaneRunner(const LaneRunner&) = delete;
  LaneRunner& operator=(const LaneRunner&) = delete;

  Instruction& instruction() { return instruction_; }

  void set_source(int slot, int lane, std::uint64_t value) {
    words_[slot][0].lane[lane] = static_cast<std::uint32_t>(value);
    words_[slot][1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
    const LaneMask bit = 1u << lane;
    view_.pred_src[slot] = value & 1u ? view_.pred_src[slot] | bit : view_.pred_src[slot] & ~bit;
  }
  void fill_source(int slot, std::uint64_t value) {
    for (int lane = 0; lane < kLanes; ++lane) set_source(slot, lane, value);
  }

  /// Executes the instruction. `set`: which implementation of the lane functions to use (one for each class
  /// of host processors). Returns false if the set has no function for the instruction. Result lanes that are
  /// not written stay kPoison.
  bool run(lanes::LaneSet set) {
    for (auto& pair : results_)
      for (auto& word : pair) word.fill(kPoison);
    for (auto& mask : view_.pred_dst) mask = kPoison;
    const LaneFunction function = lanes::find_lane_function_in(set, instruction_);
    if (function == nullptr) return false;
    function(instruction_, view_);
    return true;
  }

  std::uint64_t result(int lane, int slot = 0) const {
    const Operand& o = instruction_.dst[static_cast<std::size_t>(slot)];
    if (o.bits == 1) return view_.pred_dst[slot] >> lane & 1u;
    const std::uint64_t high = o.bits == 64 ? results_[slot][1].lane[lane] : 0u;
    return high << 32 | results_[slot][0].lane[lane];
  }
  LaneMask predicate(int slot) const { return view_.pred_dst[slot]; }
  LaneOperands& view() { return view_; }

 private:
  void add_operands(const OperandShape& shape) {
    for (const char letter : shape.destinations) {
      const int slot = instruction_.num_dst;
      const int bits = letter == 'd' ? 64 : letter == 'p' ? 1 : result_bits_ ? result_bits_ : 32;
      instruction_.add_dst(bits == 1 ? Operand::make_pred(PredId(0)) : Operand::make_reg(RegId(0), bits));
      if (bits != 1) view_.dst[slot][0] = &results_[slot][0];
      if (bits == 64) view_.dst[slot][1] = &results_[slot][1];
    }
    for (const char letter : shape.sources) {
      const int slot = instruction_.num_src;
      const int bits = letter == 'd' ? 64 : letter == 'p' ? 1 : 32;
      instruction_.add_src(bits == 1 ? Operand::make_pred(PredId(0)) : Operand::make_reg(RegId(0), bits));
      if (bits != 1) view_.src[slot][0] = &words_[slot][0];
      if (bits == 64) view_.src[slot][1] = &words_[slot][1];
    }
  }

  Instruction instruction_;
  int result_bits_ = 0;
  LaneOperands view_;
  LaneVec words_[kMaxSources][2] = {};
  LaneVec results_[kMaxDestinations][2] = {};
};

inline lanes::LaneSet chosen_set() {
  return lanes::host_supports(lanes::LaneSet::avx2) ? lanes::LaneSet::avx2 : lanes::LaneSet::baseline;
}

/// Executes the instruction with the same sources in every lane, and returns destination number `slot`. All
/// lanes must give the same result.
inline std::uint64_t compute(LaneRunner&& form, const std::vector<std::uint64_t>& sources, int slot = 0) {
  for (std::size_t k = 0; k < sources.size(); ++k) form.fill_source(static_cast<int>(k), sources[k]);
  EXPECT_TRUE(form.run(chosen_set())) << to_string(form.instruction());
  for (int lane = 1; lane < kLanes; ++lane)
    EXPECT_EQ(form.result(lane, slot), form.result(0, slot)) << "lane " << lane;
  return form.result(0, slot);
}

}  // namespace heddle::isa::test
