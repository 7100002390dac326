#include "models/stages/warp_window.h"

#include <algorithm>

namespace heddle {

void WarpWindow::holds_operands(std::uint64_t uid) {
  std::erase_if(reading_, [uid](const Reading& one) { return one.uid == uid; });
}

std::uint32_t WarpWindow::choose_way() const {
  std::uint32_t way = 0;
  if (!full()) {
    while (ways_.test(way)) ++way;
    return way;
  }
  const Entry* oldest = nullptr;
  for (const Entry& entry : entries_)
    if (!entry.fill && entry.expected == 0 && (!oldest || entry.age < oldest->age)) oldest = &entry;
  return oldest ? oldest->way : kNoWay;
}

WarpWindow::Entry& WarpWindow::add(RegId reg, std::uint32_t way) {
  Entry& entry = entries_.emplace_back();
  entry.way = way;
  ways_.set(way);
  entry.reg = reg;
  entry.generation = ++generation_;
  entry.age = instructions_;
  entry.values.fill(kPoison);
  return entry;
}

void WarpWindow::fill(Entry& entry, const LaneVec& values, LaneMask lanes, Cycle ready) {
  const LaneMask missing = lanes & ~entry.valid;
  merge_lanes(entry.values, values, missing);
  entry.valid |= missing;
  entry.fill &= ~lanes;
  entry.ready = ready;
}

void WarpWindow::drop(Entry& entry) {
  ways_.reset(entry.way);
  entry.values.fill(kPoison);
  entries_.erase(std::find_if(entries_.begin(), entries_.end(),
                              [&entry](const Entry& other) { return &other == &entry; }));
}

void WarpWindow::clear() {
  for (Entry& entry : entries_) entry.values.fill(kPoison);
  instructions_ = 0;
  entries_.clear();
  ways_.reset();
  reading_.clear();
}

}  // namespace heddle
