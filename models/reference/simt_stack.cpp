#include "models/reference/simt_stack.h"

#include <algorithm>

namespace heddle::reference {

std::vector<SimtStack::View> SimtStack::view() const {
  std::vector<View> entries;
  for (const Entry* entry = entries_.data() + 1; entry <= top_; ++entry) {
    std::uint32_t order = 0;
    for (const Entry* other = entries_.data() + 1; other <= top_; ++other)
      order += other->gave_way < entry->gave_way;
    entries.push_back({entry->pc, entry->reconvergence, entry->lanes, entry->apart, order});
  }
  return entries;
}

LaneMask SimtStack::other_lanes(int base) const {
  LaneMask all = 0;
  for (const Entry* entry = entries_.data() + base + 1; entry < top_; ++entry) all |= entry->lanes;
  return all & ~top_->lanes;
}

bool SimtStack::give_way(const std::vector<bool>& meets, int base) {
  top_->gave_way = ++times_;
  Entry* next = nullptr;
  LaneMask lanes = 0;
  below_top(base, [&](Entry& entry, LaneMask own) {
    const bool waits = (entry.apart || own != entry.lanes) && meets[static_cast<std::size_t>(entry.pc)];
    if (waits || (next && entry.gave_way >= next->gave_way)) return;
    next = &entry;
    lanes = own;
  });
  if (!next) return false;
  Entry running = *next;
  if (lanes != running.lanes) running.apart = next->apart = true;
  running.lanes = lanes;
  next->lanes &= ~lanes;
  Entry* const first = entries_.data() + base + 1;
  top_ = std::remove_if(first, top_ + 1, [](const Entry& entry) { return entry.lanes == 0; });
  *top_ = running;
  return true;
}

void SimtStack::meet(const std::vector<bool>& meets, int base) {
  if (!meets[static_cast<std::size_t>(top_->pc)] || give_way(meets, base)) return;
  below_top(base, [&](Entry& entry, LaneMask own) {
    if (entry.pc != top_->pc || entry.reconvergence != top_->reconvergence) return;
    if (own != entry.lanes) entry.apart = true;
    entry.lanes &= ~own;
    top_->lanes |= own;
  });
  LaneMask whole = top_->lanes | other_lanes(base);
  for (const Entry* entry = top_ - 1; entry > entries_.data() + base; --entry) {
    if (entry->pc != top_->reconvergence || (entry->lanes & top_->lanes) != top_->lanes) continue;
    whole = entry->lanes;
    break;
  }
  top_->apart = top_->lanes != whole;
}

}  // namespace heddle::reference
