#include "models/exec/lane_execution.h"

namespace heddle {
namespace {

bool has_words(const isa::Operand& o) {
  return o.kind != isa::Operand::Kind::none && o.kind != isa::Operand::Kind::pred;
}

/// Returns true if the operand has one bit for each lane: a predicate, or a one-bit constant in place of a
/// predicate.
bool is_bit(const isa::Operand& o) { return o.is_pred() || (!o.is_reg() && o.bits == 1); }

// Executes an instruction whose threads stay in their own lanes. Lanes in `asleep` are gated and produce
// poison (kPoison).
void execute_in_place(const isa::Instruction& instruction, isa::LaneOperands& operands, LaneMask asleep) {
  instruction.lane_function(instruction, operands);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    for (LaneVec* result : operands.dst[slot])
      if (result) poison_lanes(*result, asleep);
    operands.pred_dst[slot] = poison_bits(operands.pred_dst[slot], asleep);
  }
}

struct Onlooker {
  const LaneProbes* probes = nullptr;
  Cycle now = 0;
  const InFlight* item = nullptr;
  std::size_t number = 0;

  void shifted(LaneVec& lanes, const LaneVec& values, const LanePass& pass) const {
    if (probes) probes->shift.answered(view(pass, values), lanes);
  }
  void reshifted(LaneVec& threads, const LaneVec& computed, const LanePass& pass) const {
    if (probes) probes->reshift.answered(view(pass, computed), threads);
  }
  LanePassView view(const LanePass& pass, const LaneVec& values) const {
    return {now, *item, item->plan && item->plan->window, number, &pass, &values};
  }
};

void execute_pass(const isa::Instruction& instruction, isa::LaneOperands& own, const LanePass& pass,
                  LaneMask asleep, const Onlooker& onlooker) {
  LaneVec sources[isa::kMaxSources][2], results[isa::kMaxDestinations][2];
  isa::LaneOperands moved;
  moved.active = pass.lanes;
  for (std::size_t slot = 0; slot < instruction.num_src; ++slot) {
    if (is_bit(instruction.src[slot])) moved.pred_src[slot] = gather(own.pred_src[slot], pass);
    if (!has_words(instruction.src[slot])) continue;
    for (std::size_t word = 0; word < 2; ++word) {
      if (!own.src[slot][word]) continue;
      gather(sources[slot][word], *own.src[slot][word], pass);
      onlooker.shifted(sources[slot][word], *own.src[slot][word], pass);
      moved.src[slot][word] = &sources[slot][word];
    }
  }
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot)
    for (std::size_t word = 0; word < 2; ++word)
      if (own.dst[slot][word]) moved.dst[slot][word] = &results[slot][word];
  execute_in_place(instruction, moved, asleep & pass.lanes);
  for (std::size_t slot = 0; slot < instruction.num_dst; ++slot) {
    if (instruction.dst[slot].is_pred()) scatter(own.pred_dst[slot], moved.pred_dst[slot], pass);
    for (std::size_t word = 0; word < 2; ++word)
      if (own.dst[slot][word]) {
        scatter(*own.dst[slot][word], results[slot][word], pass);
        onlooker.reshifted(*own.dst[slot][word], results[slot][word], pass);
      }
  }
}

void clear_results(InFlight& item) {
  for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot)
    for (LaneVec* result : item.operands.dst[slot])
      if (result) result->fill(kPoison);
}

}  // namespace

void poison_threads(InFlight& item, const LanePlan& plan, LaneMask lanes) {
  LaneMask threads = 0;
  for (std::size_t p = 0; p < static_cast<std::size_t>(plan.passes); ++p)
    for (LaneMask rest = plan.pass[p].lanes & lanes; rest; rest &= rest - 1)
      threads |= LaneMask{1} << plan.pass[p].thread_of(std::countr_zero(rest));
  for (std::size_t slot = 0; slot < item.instruction->num_dst; ++slot) {
    for (LaneVec* result : item.operands.dst[slot])
      if (result) poison_lanes(*result, threads);
    item.operands.pred_dst[slot] = poison_bits(item.operands.pred_dst[slot], threads);
  }
}

void execute_in_lanes(InFlight& item, LaneMask awake) {
  const isa::Instruction& instruction = *item.instruction;
  if (!instruction.lane_function) return;
  if (!item.plan || item.plan->in_place()) return execute_in_place(instruction, item.operands, ~awake);
  clear_results(item);
  for (std::size_t p = 0; p < static_cast<std::size_t>(item.plan->passes); ++p)
    execute_pass(instruction, item.operands, item.plan->pass[p], ~awake, {});
}

void execute_in_lanes(InFlight& item, LaneMask awake, Cycle now, const LaneProbes& probes) {
  if (!item.instruction->lane_function) return;
  const LanePlan plan = item.plan ? *item.plan : identity_plan(item.mask);
  clear_results(item);
  int passes = plan.passes;
  for (std::size_t p = 0; p < static_cast<std::size_t>(passes); ++p) {
    const Onlooker onlooker{&probes, now, &item, p};
    LaneMapPoint::Answer map{plan.pass[p], passes};
    probes.map.answered({now, item, plan.window, p, &plan.pass[p], nullptr}, map);
    passes = map.passes;
    execute_pass(*item.instruction, item.operands, map.pass, ~awake, onlooker);
  }
}

LanePlan identity_plan(LaneMask threads) {
  LanePlan plan;
  plan.pass[0].lanes = threads;
  for (std::size_t lane = 0; lane < kLanes; ++lane) plan.pass[0].from[lane] = static_cast<std::uint8_t>(lane);
  return plan;
}

}  // namespace heddle
