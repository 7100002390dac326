#pragma once

// Record of a warp-instruction from its issue to its completion. The record holds the warp, the collector,
// the execution unit, the outstanding steps and the operand values. All modules that process the instruction
// use this record. Records come from a pool.

#include <array>
#include <cstdint>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/isa/lane_operands.h"
#include "models/isa/lane_plan.h"
#include "models/ports/warp_context.h"

namespace heddle {

/// Members that every instruction uses come first, in two cache lines of the host (64 bytes each): with many
/// SMs, the number of lines that an SM touches limits the speed of the simulator.
struct alignas(64) InFlight {
  // Members that the issue stage sets for every instruction.
  const isa::Instruction* instruction = nullptr;
  const InstructionFootprint* footprint = nullptr;
  const WarpContext* context = nullptr;
  std::uint32_t pc = 0;
  LaneMask mask = 0;  ///< lanes that execute the instruction: active, and not disabled by its guard predicate
  LaneMask active = kAllLanes;  ///< active lanes at issue, including lanes that the guard predicate disables
  LaneMask live = kAllLanes;    ///< the warp's threads that had not exited when the instruction issued
  std::uint64_t uid = 0;
  std::uint64_t attached = 0;
  Cycle issued = 0;

  // Members that the issue stage sets only for instructions with an operand collector or a result.
  LaneMask lanes = 0;
  /// Assignment of threads to lanes in each pass of the instruction. nullptr: each thread executes in its own
  /// lane, in one pass.
  const LanePlan* plan = nullptr;
  CollectorId collector{};
  /// Number of the unit (SP cluster or SFU) within its class that executes the instruction; -1: the
  /// load/store unit.
  int cluster = -1;
  std::uint8_t writes_left = 0;
  bool reads_released = false;
  std::uint16_t result_source = 0;
  std::uint16_t segments = 0;  ///< number of 128-byte segments that a global or local access has sent so far
  std::uint16_t passes = 0;    ///< number of passes that an access to shared memory needs
  /// Global or local access: number of memory requests, without L1 hits. Access to shared memory: number of
  /// words that the banks read or write.
  std::uint16_t transfers = 0;
  /// Cycle in which all source operands were in the operand collector. Set when the instruction leaves the
  /// collector.
  Cycle operands_at = 0;

  LaneVec* words = nullptr;
  GrowingArray<InFlight*>* pool = nullptr;

  /// Pointers to the operand values. A value is a word of this record, or a constant that all lanes share.
  isa::LaneOperands operands;
  LanePlan plan_storage;

  WarpId warp() const { return context->warp; }
  LaneVec* value(const OperandWord& word) const { return words + word.place; }
  LaneVec* value_at(std::size_t place) const { return words + place; }
  /// True if the instruction uses an operand collector. If not, the instruction is complete when it issues.
  bool collects() const { return mask != 0 && instruction->unit != isa::UnitClass::control; }
};

}  // namespace heddle
