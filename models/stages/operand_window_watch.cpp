// Observers of the windows of the first warps: what they see, and what they may replace (WindowPoint).

#include <algorithm>

#include "models/stages/operand_window.h"

namespace heddle {

void OperandWindow::probes(const ProbeScope& scope) {
  while (watched_.size() < std::min(kWatchedWarps, warps_.size()))
    watched_.push_back(std::make_unique<Probe<WindowPoint>>(shape_));
  for (std::size_t warp = 0; warp < watched_.size(); ++warp)
    scope.part("warp" + std::to_string(warp)).add(*watched_[warp]);
}

OperandWindow::Entry* OperandWindow::seen_read(const RegisterAccess& access, const Entry* entry, bool& hit) {
  View view{.what = View::reads, .sources = 1, .lanes = access.mask};
  view.source[0] = static_cast<std::uint8_t>(access.home.value);
  WindowPoint::Answer answer;
  answer.found[0] = entry != nullptr;
  answer.hit[0] = hit;
  answer.ways[0] = entry ? entry->way : 0;
  watched(access.warp)->answered(view, answer);
  hit = answer.hit[0];
  return at(access.warp, answer.found[0], answer.ways[0]);
}

OperandWindow::Entry* OperandWindow::seen_result(WarpId warp, RegId reg, const Entry* entry) {
  View view{.what = View::finds};
  view.result = static_cast<std::uint8_t>(reg.value);
  WindowPoint::Answer answer;
  answer.result_found = entry != nullptr;
  answer.result_way = entry ? entry->way : 0;
  watched(warp)->answered(view, answer);
  return at(warp, answer.result_found, answer.result_way);
}

void OperandWindow::seen_sources(WarpId warp, std::span<const RegisterWord> words,
                                 std::array<Entry*, WindowPoint::kSources>& entries) {
  View view{.what = View::announces, .sources = static_cast<std::uint8_t>(words.size())};
  WindowPoint::Answer answer;
  for (std::size_t i = 0; i < words.size(); ++i) {
    view.source[i] = static_cast<std::uint8_t>(words[i].home.value);
    answer.found[i] = answer.hit[i] = entries[i] != nullptr;
    answer.ways[i] = entries[i] ? entries[i]->way : 0;
  }
  watched(warp)->answered(view, answer);
  for (std::size_t i = 0; i < words.size(); ++i) entries[i] = at(warp, answer.found[i], answer.ways[i]);
}

std::uint32_t OperandWindow::seen_choice(WarpId warp, std::uint32_t way) {
  WindowPoint::Answer answer;
  answer.can_take = way != kNoWay;
  answer.victim = way;
  watched(warp)->answered({.what = View::chooses}, answer);
  return answer.can_take ? answer.victim : kNoWay;
}

WindowPoint::Answer OperandWindow::seen_leaving(WarpId id, bool advances) {
  const Warp& warp = of(id);
  View view{.what = View::slides, .advances = advances, .pending = !warp.reading.empty()};
  if (view.pending) view.oldest = warp.instructions - warp.reading.front().number;
  WindowPoint::Answer answer;
  for (const Entry& entry : warp.entries) {
    const std::uint64_t leaves = is_old(warp, entry) && !is_wanted(warp, entry);
    answer.leaves |= leaves << entry.way;
    answer.backs |= (leaves && entry.dirty && !entry.hinted) << entry.way;
  }
  watched(id)->answered(view, answer);
  return answer;
}

}  // namespace heddle
