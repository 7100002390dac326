#pragma once

// Declares one function for each source file of this folder. The function returns the lane function (the code
// for all 32 lanes) of an instruction, or nullptr for a form that PTX does not define.

#include "models/isa/lane_operands.h"
#include "models/isa/rows.h"

#define HEDDLE_DECLARE_LANE_FAMILIES(set)                  \
  namespace heddle::isa::lanes::set {                      \
  LaneFunction find_integer(const Instruction&);           \
  LaneFunction find_carry(const Instruction&);             \
  LaneFunction find_bits(const Instruction&);              \
  LaneFunction find_bytes(const Instruction&);             \
  LaneFunction find_logic(const Instruction&);             \
  LaneFunction find_float(const Instruction&);             \
  LaneFunction find_directed(const Instruction&);          \
  LaneFunction find_approximation(const Instruction&);     \
  LaneFunction find_comparison(const Instruction&);        \
  LaneFunction find_conversion(const Instruction&);        \
  LaneFunction find_move(const Instruction&);              \
  LaneFunction find_half(const Instruction&);              \
  LaneFunction find_half_conversion(const Instruction&);   \
  LaneFunction find_narrow_conversion(const Instruction&); \
  LaneFunction find_packed(const Instruction&);            \
  LaneFunction find_shuffle(const Instruction&);           \
  LaneFunction find_form(const Instruction&);              \
  extern const RowOperations kRowOperations;               \
  }

HEDDLE_DECLARE_LANE_FAMILIES(baseline)
HEDDLE_DECLARE_LANE_FAMILIES(avx2)
