#include "models/regfile/operand_collectors.h"

#include <algorithm>

namespace heddle {

OperandCollectors::OperandCollectors(const sc_core::sc_module_name& name, Clock& clock,
                                     const RegisterFileParameters& parameters, RegisterPathTop& path,
                                     const StatsScope& stats)
    : sc_module(name),
      path_(&path),
      dispatches_per_cycle_(parameters.dispatches_per_cycle),
      collect_cycles_(static_cast<Cycle>(parameters.banks.latency_cycles)),
      collectors_(static_cast<std::size_t>(parameters.collectors)),
      input_("in", clock, static_cast<std::size_t>(parameters.collectors) + 4),
      output_("out", input_),
      allocated_(stats.add("allocated", "warp-instructions", "instructions that took a collector")),
      dispatched_(stats.add("dispatched", "warp-instructions", "instructions handed to a unit")),
      occupied_cycles_(
          stats.add("occupied_cycles", "collector-cycles", "collectors in use, summed over cycles")) {
  for (int c = parameters.collectors; c-- > 0;) free_.push_back(static_cast<std::uint16_t>(c));
}

void OperandCollectors::step(Cycle now) {
  occupied_cycles_ += order_.size() * (now - last_step_);
  last_step_ = now;
  if (!order_.empty()) dispatch_ready(now);
  if (unsent_ && may_send())
    for (const std::uint16_t c : order_)
      if (collectors_[c].sent < collectors_[c].total || !collectors_[c].announced)
        if (!send(now, collectors_[c])) break;
  take_issued(now);
  if (!order_.empty() || !input_.empty()) path_->clock().wake_next();
}

void OperandCollectors::dispatch_ready(Cycle now) {
  std::uint64_t memory_waits =
      0;  // warps with an older memory instruction that is still here: their order is kept
  int dispatched = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint16_t c = order_[i];
    Collector& collector = collectors_[c];
    InFlight* item = collector.item;
    const bool memory = item->instruction->unit == isa::UnitClass::ldst;
    const std::uint64_t warp = std::uint64_t{1} << item->warp().value;
    const bool held = item->reads_left == 0 && collector.sent == collector.total && collector.announced &&
                      collector.complete_at < now;
    const bool may_go = held && !(memory && (memory_waits & warp)) &&
                        (dispatches_per_cycle_ == 0 || dispatched < dispatches_per_cycle_);
    if (may_go && output_.offer(item)) {
      item->operands_at = collector.complete_at;
      input_.tell(InstructionNote::dispatched, item);
      collector.item = nullptr;
      free_.push_back(c);
      ++dispatched_;
      ++dispatched;
      continue;
    }
    if (held && !item->reads_released) {
      item->reads_released = true;
      input_.tell(InstructionNote::reads_held, item);
    }
    if (memory) memory_waits |= warp;
    order_[kept++] = c;
  }
  order_.resize(kept);
}

void OperandCollectors::take_issued(Cycle now) {
  while (input_.can_pop() && !free_.empty()) {
    const std::uint16_t c = free_.back();
    free_.pop_back();
    Collector& collector = collectors_[c];
    collector.item = input_.pop();
    collector.item->collector = CollectorId(c);
    order_.push_back(c);
    ++allocated_;
    prepare_reads(now, c);
    if ((collector.total || !collector.announced)) {
      ++unsent_;
      if (may_send()) send(now, collector);
    }
  }
}

void OperandCollectors::prepare_reads(Cycle now, std::uint16_t number) {
  Collector& collector = collectors_[number];
  InFlight& item = *collector.item;
  const isa::Instruction& instruction = *item.instruction;
  collector.sent = collector.total = 0;
  // Operand collection is a stage of the pipeline: without register operands it passes in the time of one
  // read, so that an operation's latency does not hang on where its operands come from.
  collector.complete_at = now + collect_cycles_;
  collector.announced = !path_->announces();
  for (std::uint8_t slot = 0; slot < instruction.num_src; ++slot) {
    const isa::Operand& operand = instruction.src[slot];
    for (std::uint8_t word = 0; word < operand.words(); ++word) {
      RegisterAccess& read = collector.reads[collector.total++];
      read.command = RegisterCommand::read;
      read.warp = item.warp();
      read.kernel = item.context->launch->id;
      read.reg = RegId(operand.reg.value + word);
      read.mask = item.mask;
      read.values = &item.values[slot][word];
      read.instruction = &instruction;
      read.annotation = operand.annotation;
      read.slot = slot;
      read.word = word;
      read.source = number;
      read.place = {};
      read.earliest_service = 0;
      read.data_at = 0;
      read.owner = &collector;
    }
  }
  item.reads_left = static_cast<std::uint8_t>(collector.total);
  item.reads_released = false;
  if (!collector.announced) {
    RegisterAccess& note = collector.announcement;
    note = {};
    note.command = RegisterCommand::prepare;
    note.warp = item.warp();
    note.kernel = item.context->launch->id;
    note.mask = item.mask;
    note.instruction = &instruction;
    note.source = number;
    note.owner = &collector;
  }
}

// Offers the announcement, then the reads, in order; false if the path is full.
bool OperandCollectors::send(Cycle now, Collector& collector) {
  if (!collector.announced) {
    if (!offer(now, collector.announcement)) return false;
    collector.announced = true;
  }
  while (collector.sent < collector.total) {
    if (!offer(now, collector.reads[collector.sent])) return false;
    ++collector.sent;
  }
  --unsent_;
  return true;
}

bool OperandCollectors::offer(Cycle now, RegisterAccess& access) {
  const RegisterAnswer answer = path_->submit(RegisterPathTop::Sender::collectors, access);
  if (answer == RegisterAnswer::answered) on_response(now, access);
  return answer != RegisterAnswer::refused;
}

void OperandCollectors::on_response(Cycle now, RegisterAccess& access) {
  if (access.command != RegisterCommand::read) return;
  Collector& collector = *static_cast<Collector*>(access.owner);
  --collector.item->reads_left;
  collector.complete_at = std::max({collector.complete_at, now, access.data_at});
}

}  // namespace heddle
