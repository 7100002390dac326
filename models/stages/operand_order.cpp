#include "models/stages/operand_order.h"

#include <algorithm>

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
  const auto write =
      std::find_if(writes_.begin(), writes_.end(), [id](const Write& w) { return w.id == id; });
  return write == writes_.end() ? nullptr : &*write;
}

void OperandOrder::done(std::uint64_t id) {
  const Write* const written = find(id);
  if (!written) return;
  const std::uint32_t entry = written->entry;
  const LaneMask lanes = written->lanes;
  std::erase_if(writes_, [id](const Write& w) { return w.id == id; });
  for (Write& older : writes_)
    if (older.entry == entry && older.id < id) older.lanes &= ~lanes;
}

}  // namespace heddle
