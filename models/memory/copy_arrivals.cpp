#include "models/memory/copy_arrivals.h"

#include <algorithm>

namespace heddle {

LaneMask CopyArrivals::Waiting::free_lanes() const {
  LaneMask lanes = left;
  for (const InFlight* copy : copies) lanes &= ~copy->mask;
  return lanes;
}

void CopyArrivals::completed(const InFlight& copy) {
  std::erase(open_, &copy);
  for (Waiting& w : waiting_) std::erase(w.copies, &copy);
}

void CopyArrivals::add(Arrival arrival, const WarpAddresses& addresses) {
  Waiting w{arrival, addresses, arrival.item->mask, {}};
  for (const InFlight* copy : open_)
    if (copy->warp() == arrival.item->warp() && (copy->mask & w.left) != 0) w.copies.push_back(copy);
  waiting_.push_back(std::move(w));
}

bool CopyArrivals::ready() const {
  return std::any_of(waiting_.begin(), waiting_.end(), [](const Waiting& w) { return w.free_lanes() != 0; });
}

CopyArrivals::Arrival CopyArrivals::step(Cycle now) {
  if (shared_.free_from() > now) return {};
  for (auto w = waiting_.begin(); w != waiting_.end(); ++w) {
    const LaneMask lanes = w->free_lanes();
    if (lanes == 0) continue;
    shared_.arrive(*w->arrival.item, w->addresses, lanes, now);
    w->left &= ~lanes;
    if (w->left != 0) return {};
    const Arrival done = w->arrival;
    waiting_.erase(w);
    return done;
  }
  return {};
}

}  // namespace heddle
