#pragma once

// The record of an issued warp-instruction: its warp, its collector and unit, its outstanding steps, its
// operand values. All modules on its way share the record from issue to completion. Subscribers receive its
// events (i_life_listener.h). Records come from a pool (in_flight_pool.h), never from the heap.

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

struct InFlight {
  // Members that are set for every instruction at issue.
  const isa::Instruction* instruction = nullptr;
  const InstructionFootprint* footprint = nullptr;  ///< registers and units that the instruction uses
  const WarpContext* context = nullptr;
  std::uint32_t pc = 0;         ///< index of the instruction
  LaneMask mask = 0;            ///< lanes that execute: active and not guarded off
  LaneMask active = kAllLanes;  ///< lanes on the warp's path, guarded-off lanes included
  LaneMask live = kAllLanes;    ///< threads of the warp that had not exited at issue
  std::uint64_t uid = 0;        ///< number of the instruction in issue order on the SM
  std::uint64_t attached = 0;   ///< data that front-end stages attached
  Cycle issued = 0;

  // Members that are set for an instruction that goes to a collector or to the result bus.
  LaneMask lanes = 0;  ///< physical lanes of the unit that the instruction uses, in any pass
  /// Thread of each lane and pass; nullptr: each thread in its own lane, in one pass.
  const LanePlan* plan = nullptr;
  CollectorId collector{};
  /// Unit of its class that executes the instruction (SP cluster, SFU); -1: the load/store unit.
  int cluster = -1;
  std::uint8_t writes_left = 0;     ///< register words not yet visible, and predicates not yet written
  bool reads_released = false;      ///< the scoreboard has no pending reads of the instruction
  std::uint16_t result_source = 0;  ///< input of the result bus from which the result came
  Cycle operands_at = 0;            ///< cycle in which the collector held every source; set at dispatch
  std::uint16_t segments = 0;       ///< 128-byte segments of a global or local access that were sent so far
  std::uint16_t passes = 0;         ///< passes of an access to shared memory

  /// Point to words of the record or to broadcast constants. All instructions of the same shape have the same
  /// layout.
  isa::LaneOperands operands;
  LanePlan plan_storage;  ///< storage for `plan`

  LaneVec* words = nullptr;                 ///< operand words: record_words() of them
  GrowingArray<InFlight*>* pool = nullptr;  ///< free list to which the record returns

  WarpId warp() const { return context->warp; }
  /// Returns the storage of a source or destination word. `place` comes from special_place().
  LaneVec* value(const OperandWord& word) const { return words + word.place; }
  LaneVec* value_at(std::size_t place) const { return words + place; }
  /// True if the instruction collects operands. Otherwise issue is its only step.
  bool collects() const { return mask != 0 && instruction->unit != isa::UnitClass::control; }
};

}  // namespace heddle
