#pragma once

// An issued warp-instruction: its warp, its place, its outstanding steps, its operand values. One record from
// issue to completion; all modules on its way share it, and subscribers receive its events
// (i_life_listener.h). Records come from a pool (in_flight_pool.h), never from the heap.

#include <array>
#include <cstdint>

#include "models/core/growing_array.h"
#include "models/core/ids.h"
#include "models/core/lane_plan.h"
#include "models/core/lanes.h"
#include "models/isa/instruction_footprint.h"
#include "models/isa/lane_operands.h"
#include "models/ports/warp_context.h"

namespace heddle {

struct InFlight {
  // Set for every instruction, from its issue on.
  const isa::Instruction* instruction = nullptr;
  const InstructionFootprint* footprint = nullptr;  ///< of it
  const WarpContext* context = nullptr;
  std::uint32_t pc = 0;         ///< index of the instruction
  LaneMask mask = 0;            ///< lanes that execute: active and not guarded off
  LaneMask active = kAllLanes;  ///< lanes on the path, those that are guarded off included
  LaneMask live = kAllLanes;    ///< threads of the warp that had not exited at issue
  std::uint64_t uid = 0;        ///< issue order on the SM
  std::uint64_t attached = 0;   ///< by front-end stages
  Cycle issued = 0;

  // Set for an instruction that goes to a collector or the result bus.
  LaneMask lanes = 0;              ///< physical lanes of its unit that it uses, in any pass
  const LanePlan* plan = nullptr;  ///< which thread goes where; nullptr: each in its own lane, in one pass
  CollectorId collector{};
  int cluster = -1;  ///< unit of its class that executes it (SP cluster, SFU); -1: the load/store unit
  std::uint8_t writes_left = 0;     ///< register words not yet visible, and predicates not yet written
  bool reads_released = false;      ///< the scoreboard's pending reads are given back
  std::uint16_t result_source = 0;  ///< of the result bus: the way by which it came there
  Cycle operands_at = 0;            ///< when the collector held every source; set when it dispatches
  std::uint16_t segments = 0;       ///< 128-byte segments of a global or local access, counted as they go
  std::uint16_t passes = 0;         ///< passes of an access to shared memory

  /// Point at the words that the record holds, which every instruction of its shape does in the same way, or at broadcast
  /// constants.
  isa::LaneOperands operands;
  LanePlan plan_storage;  ///< where `plan` may point

  LaneVec* words = nullptr;                 ///< of its operands: record_words()
  GrowingArray<InFlight*>* pool = nullptr;  ///< where it waits while no instruction has it

  WarpId warp() const { return context->warp; }
  /// Where a word of its operands lies, source or destination; `place`: special_place().
  LaneVec* value(const OperandWord& word) const { return words + word.place; }
  LaneVec* value_at(std::size_t place) const { return words + place; }
  /// It collects operands; else it is issued and nothing more.
  bool collects() const { return mask != 0 && instruction->unit != isa::UnitClass::control; }
};

}  // namespace heddle
