#include "models/stages/window_watch.h"

namespace heddle {

using View = WindowPoint::View;
using Answer = WindowPoint::Answer;

WindowWatch::Found WindowWatch::read(WarpId warp, RegId reg, LaneMask lanes, Found found) const {
  View view{.what = View::reads, .sources = 1, .lanes = lanes};
  view.source[0] = static_cast<std::uint8_t>(reg.value);
  Answer answer;
  answer.found[0] = found.way != WarpWindow::kNoWay;
  answer.hit[0] = found.hit;
  answer.ways[0] = answer.found[0] ? found.way : 0;
  point(warp).answered(view, answer);
  return {answer.found[0] ? answer.ways[0] : WarpWindow::kNoWay, answer.hit[0]};
}

std::uint32_t WindowWatch::find_result(WarpId warp, RegId reg, std::uint32_t way) const {
  View view{.what = View::finds};
  view.result = static_cast<std::uint8_t>(reg.value);
  Answer answer;
  answer.result_found = way != WarpWindow::kNoWay;
  answer.result_way = answer.result_found ? way : 0;
  point(warp).answered(view, answer);
  return answer.result_found ? answer.result_way : WarpWindow::kNoWay;
}

void WindowWatch::find_sources(WarpId warp, std::span<const RegisterWord> words, Ways& ways) const {
  View view{.what = View::announces, .sources = static_cast<std::uint8_t>(words.size())};
  Answer answer;
  for (std::size_t i = 0; i < words.size(); ++i) {
    view.source[i] = static_cast<std::uint8_t>(words[i].home.value);
    answer.found[i] = answer.hit[i] = ways[i] != WarpWindow::kNoWay;
    answer.ways[i] = answer.found[i] ? ways[i] : 0;
  }
  point(warp).answered(view, answer);
  for (std::size_t i = 0; i < words.size(); ++i)
    ways[i] = answer.found[i] ? answer.ways[i] : WarpWindow::kNoWay;
}

std::uint32_t WindowWatch::choose(WarpId warp, std::uint32_t way) const {
  Answer answer;
  answer.can_take = way != WarpWindow::kNoWay;
  answer.victim = way;
  point(warp).answered({.what = View::chooses}, answer);
  return answer.can_take ? answer.victim : WarpWindow::kNoWay;
}

WindowWatch::Leaving WindowWatch::slide(WarpId warp, const WarpWindow& window, bool advances) const {
  View view{.what = View::slides, .advances = advances, .pending = window.lacks_operands()};
  if (view.pending) view.oldest = window.oldest_reading();
  Answer answer;
  for (const WarpWindow::Entry& entry : window.entries()) {
    const std::uint64_t leaves = window.leaves(entry), backs = leaves && entry.dirty && !entry.hinted;
    answer.leaves |= leaves << entry.way;
    answer.backs |= backs << entry.way;
  }
  point(warp).answered(view, answer);
  return {answer.leaves, answer.backs};
}

void WindowWatch::report(WarpId warp, const WarpWindow::Entry& entry, What what, LaneMask lanes,
                         bool hinted) const {
  View view{.what = what, .hinted = hinted, .lanes = lanes, .way = entry.way};
  view.result = static_cast<std::uint8_t>(entry.reg.value);
  point(warp).notify(view);
}

void WindowWatch::clears(WarpId warp) const {
  if (watches(warp)) point(warp).notify({.what = View::clears});
}

}  // namespace heddle
