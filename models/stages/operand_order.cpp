#include "models/stages/operand_order.h"

namespace heddle {

bool OperandOrder::issue(const isa::Instruction& instruction, LaneMask lanes, const EntryOf& entry_of) {
  Write write;
  write.instruction = &instruction;
  write.lanes = lanes;
  bool uses = false;
  for (const isa::Operand& source : instruction.sources()) {
    if (!source.is_reg() || source.annotation.read_level == isa::kMainLevel) continue;
    issued_ += static_cast<std::uint64_t>(source.words());
    uses = true;
  }
  write.fill = true;
  for (write.slot = 0; write.slot < instruction.num_src; ++write.slot)
    if (instruction.src[write.slot].annotation.read_level == isa::kMainLevel)
      uses |= issue_writes(instruction.src[write.slot], write, entry_of);
  write.fill = false;
  for (write.slot = 0; write.slot < instruction.num_dst; ++write.slot)
    uses |= issue_writes(instruction.dst[write.slot], write, entry_of);
  return uses;
}

bool OperandOrder::issue_writes(const isa::Operand& operand, Write write, const EntryOf& entry_of) {
  const std::uint8_t levels = written_levels(operand.annotation);
  if (!operand.is_reg() || levels == 0) return false;
  const std::uint8_t level =
      levels & isa::level_bit(isa::kLastResultLevel) ? isa::kLastResultLevel : isa::kOperandLevel;
  write.reads_before = issued_;
  for (write.word = 0; write.word < operand.words(); ++write.word) {
    write.entry = entry_of(operand.annotation, write.word, level);
    write.id = next_id_++;
    writes_.push_back(write);
  }
  return true;
}

void OperandOrder::end_strand() { ends_.push_back({issued_, next_id_}); }

bool OperandOrder::take_ends() {
  std::size_t ended = 0;
  while (ended < ends_.size() && ends_[ended].reads <= taken_) ++ended;
  if (ended == 0) return false;
  for (Write& write : writes_)
    if (write.id < ends_[ended - 1].id) write.lanes = 0;
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(ended));
  return true;
}

OperandOrder::Write* OperandOrder::find(const RegisterAccess& access, bool fill) {
  for (Write& write : writes_)
    if (write.instruction == access.instruction && write.slot == access.operand->slot &&
        write.word == access.operand->word && write.fill == fill && !write.begun)
      return &write;
  return nullptr;
}

OperandOrder::Write* OperandOrder::find(std::uint64_t id) {
  for (Write& write : writes_)
    if (write.id == id) return &write;
  return nullptr;
}

void OperandOrder::done(std::uint64_t id) {
  Write* const written = find(id);
  if (!written) return;
  const std::uint32_t entry = written->entry;
  const LaneMask lanes = written->lanes;
  writes_.erase(static_cast<std::size_t>(written - writes_.begin()));
  for (Write& older : writes_)
    if (older.entry == entry && older.id < id) older.lanes &= ~lanes;
}

}  // namespace heddle
