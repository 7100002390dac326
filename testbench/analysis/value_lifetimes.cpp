#include "testbench/analysis/value_lifetimes.h"

#include <algorithm>

namespace heddle::analysis {
namespace {

// Returns the index of the last bin whose lower limit is at most the value.
template <std::size_t n>
std::size_t bin_of(const std::array<std::uint64_t, n>& lows, std::uint64_t value) {
  const auto it = std::upper_bound(lows.begin(), lows.end(), value);
  return it == lows.begin() ? 0 : static_cast<std::size_t>(it - lows.begin()) - 1;
}

template <class Counts>
void add_all(Counts& into, const Counts& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

}  // namespace

void UsageCounts::add(const UsageCounts& other) {
  add_all(reads, other.reads);
  add_all(read_once, other.read_once);
  add_all(last_read, other.last_read);
  add_all(gap, other.gap);
  add_all(gap_cycles, other.gap_cycles);
  add_all(strands, other.strands);
  gap_cycles_sum += other.gap_cycles_sum;
  strand_instructions += other.strand_instructions;
  by_private += other.by_private;
  by_shared += other.by_shared;
  to_shared += other.to_shared;
  private_to_shared += other.private_to_shared;
}

void ValueLifetimes::issued(const isa::Instruction& instruction, LaneMask mask, Cycle cycle) {
  ++now_;
  cycle_ = cycle;
  follow_strand(instruction);
  if (mask == 0) return;
  const bool shared = is_shared_unit(instruction);
  for (const isa::Operand& operand : instruction.sources())
    for (int word = 0; word < operand.words(); ++word)
      read(operand.reg.value + static_cast<std::uint32_t>(word), mask, shared);
  for (const isa::Operand& operand : instruction.destinations())
    for (int word = 0; word < operand.words(); ++word)
      write(operand.reg.value + static_cast<std::uint32_t>(word), mask, shared);
}

void ValueLifetimes::ended() {
  for (Register& entry : registers_) {
    for (const Value& value : entry.values) retire(value);
    entry = {};
  }
  end_strand();
  now_ = 0;
}

ValueLifetimes::Register& ValueLifetimes::at(std::uint32_t reg) {
  if (reg >= registers_.size()) registers_.resize(reg + 1);
  return registers_[reg];
}

void ValueLifetimes::touch(Register& entry) {
  // Count one access if two operands of the same instruction name this register.
  if (entry.accessed != 0 && entry.accessed != now_) {
    ++counts_->gap[bin_of(UsageCounts::kDistances, now_ - entry.accessed)];
    ++counts_->gap_cycles[bin_of(UsageCounts::kCycles, cycle_ - entry.accessed_at)];
    counts_->gap_cycles_sum += cycle_ - entry.accessed_at;
  }
  entry.accessed = now_;
  entry.accessed_at = cycle_;
}

void ValueLifetimes::read(std::uint32_t reg, LaneMask mask, bool by_shared) {
  Register& entry = at(reg);
  touch(entry);
  for (Value& value : entry.values) {
    if ((value.lanes & mask) == 0) continue;
    ++value.reads;
    value.last_read = now_;
    value.to_shared |= by_shared;
  }
}

void ValueLifetimes::write(std::uint32_t reg, LaneMask mask, bool by_shared) {
  Register& entry = at(reg);
  touch(entry);
  for (Value& value : entry.values) {
    value.lanes &= ~mask;
    if (value.lanes == 0) retire(value);
  }
  std::erase_if(entry.values, [](const Value& value) { return value.lanes == 0; });
  Value value;
  value.lanes = mask;
  value.written = now_;
  value.by_shared = by_shared;
  entry.values.push_back(value);
}

void ValueLifetimes::retire(const Value& value) {
  ++counts_->reads[bin_of(UsageCounts::kReads, value.reads)];
  ++(value.by_shared ? counts_->by_shared : counts_->by_private);
  if (value.reads == 0) return;
  const std::size_t bin = bin_of(UsageCounts::kDistances, value.last_read - value.written);
  ++counts_->last_read[bin];
  if (value.reads == 1) ++counts_->read_once[bin];
  if (!value.to_shared) return;
  ++counts_->to_shared;
  counts_->private_to_shared += !value.by_shared;
}

void ValueLifetimes::follow_strand(const isa::Instruction& instruction) {
  if (instruction.begins_strand) end_strand();
  if (instruction.begins_strand || strand_ > 0) ++strand_;
  if (instruction.ends_strand) end_strand();
}

void ValueLifetimes::end_strand() {
  if (strand_ == 0) return;
  ++counts_->strands[bin_of(UsageCounts::kStrands, strand_)];
  counts_->strand_instructions += strand_;
  strand_ = 0;
}

}  // namespace heddle::analysis
