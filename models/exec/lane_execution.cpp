#include "models/exec/lane_execution.h"

namespace heddle {
namespace {

bool has_words(const isa::Operand& o) {
  return o.kind != isa::Operand::Kind::none && o.kind != isa::Operand::Kind::pred;
}

// Without a plan, values stand where they are needed.
void execute_in_place(const isa::Instruction& instruction, isa::LaneOperands& operands, LaneMask asleep) {
  instruction.lane_function(instruction, operands);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    for (LaneVec* result : operands.dst[slot])
      if (result) poison_lanes(*result, asleep);
    operands.pred_dst[slot] = poison_bits(operands.pred_dst[slot], asleep);
  }
}

void execute_pass(const isa::Instruction& instruction, isa::LaneOperands& own, const LanePass& pass,
                  LaneMask asleep) {
  LaneVec sources[isa::kMaxSources][2], results[isa::kMaxDestinations][2];
  isa::LaneOperands moved;
  moved.active = pass.lanes;
  for (std::size_t slot = 0; slot < instruction.num_src; ++slot) {
    moved.pred_src[slot] = gather(own.pred_src[slot], pass);
    if (!has_words(instruction.src[slot])) continue;
    for (std::size_t word = 0; word < 2; ++word) {
      if (!own.src[slot][word]) continue;
      gather(sources[slot][word], *own.src[slot][word], pass);
      moved.src[slot][word] = &sources[slot][word];
    }
  }
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot)
    for (std::size_t word = 0; word < 2; ++word)
      if (own.dst[slot][word]) moved.dst[slot][word] = &results[slot][word];
  execute_in_place(instruction, moved, asleep);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    scatter(own.pred_dst[slot], moved.pred_dst[slot], pass);
    for (std::size_t word = 0; word < 2; ++word)
      if (own.dst[slot][word]) scatter(*own.dst[slot][word], results[slot][word], pass);
  }
}

}  // namespace

void execute_in_lanes(InFlight& item, LaneMask awake) {
  const isa::Instruction& instruction = *item.instruction;
  if (!instruction.lane_function) return;
  if (!item.plan) return execute_in_place(instruction, item.operands, ~awake);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot)
    for (LaneVec* result : item.operands.dst[slot])
      if (result) result->fill(kPoison);
  for (std::size_t p = 0; p < static_cast<std::size_t>(item.plan->passes); ++p)
    execute_pass(instruction, item.operands, item.plan->pass[p], ~awake);
}

}  // namespace heddle
