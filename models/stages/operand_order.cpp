#include "models/stages/operand_order.h"

namespace heddle {

void OperandOrder::issue_write(Write write) {
  write.id = next_id_++;
  write.reads_before = issued_;
  writes_.push_back(write);
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
