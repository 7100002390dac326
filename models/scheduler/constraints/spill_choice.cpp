#include "models/scheduler/constraints/spill_choice.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle {
namespace {

using Where = SpillChoice::Where;

bool holds(const SpillChoice::Warp& w) { return w.where == Where::in || w.where == Where::coming; }

int rest(const SpillChoice::Warp& w, std::size_t pool) {
  return w.need[pool] - (holds(w) ? w.held[pool] : 0);
}

int sum_of_rests(const SpillChoice::Warp& w) {
  int sum = 0;
  for (std::size_t p = 0; p < w.need.size(); ++p) sum += rest(w, p);
  return sum;
}

}  // namespace

const SpillChoice::Warp* SpillChoice::warp(std::uint32_t number) const {
  const auto found =
      std::find_if(warps_.begin(), warps_.end(), [number](const Warp& w) { return w.id.value == number; });
  return found == warps_.end() ? nullptr : &*found;
}

bool SpillChoice::covers(std::span<const int> have, std::span<const int> need) const {
  return std::equal(need.begin(), need.end(), have.begin(), std::less_equal<>());
}

const SpillChoice::Warp* SpillChoice::choose() const {
  const Warp* best = nullptr;
  for (const Warp& w : warps_)
    if (!w.pending &&
        (!best || std::pair(sum_of_rests(w), w.age) < std::pair(sum_of_rests(*best), best->age)))
      best = &w;
  return best;
}

// Returns the entries of each pool that warp `favoured` can use when all spills and restores in progress are
// complete.
std::vector<int> SpillChoice::room_for(const Warp& favoured) const {
  std::vector<int> room(capacity_.begin(), capacity_.end());
  for (const Warp& w : warps_)
    if (w.id != favoured.id && holds(w))
      for (std::size_t p = 0; p < room.size(); ++p)
        room[p] -= w.where == Where::coming ? w.saved[p] : w.held[p];
  return room;
}

WarpSet SpillChoice::victims(const Warp& favoured, std::vector<int> room) const {
  WarpSet chosen;
  while (!covers(room, favoured.need)) {
    const Warp* best = nullptr;
    const auto order = [](const Warp& w) { return std::tuple(w.pending, w.quiet, w.age); };
    for (const Warp& w : warps_) {
      if (w.id == favoured.id || w.where != Where::in || chosen.contains(w.id)) continue;
      bool helps = false;
      for (std::size_t p = 0; p < room.size(); ++p)
        helps = helps || (room[p] < favoured.need[p] && w.held[p] > 0);
      if (helps && (!best || order(w) > order(*best))) best = &w;
    }
    if (!best) break;
    chosen.add(best->id);
    for (std::size_t p = 0; p < room.size(); ++p) room[p] += best->held[p];
  }
  return chosen;
}

// Returns the free entries of each pool, minus reserved entries. Entries are reserved for warps whose
// registers are being read back from memory; entries reserved for warp `number` are not subtracted.
std::vector<int> SpillChoice::spare(std::uint32_t number) const {
  std::vector<int> spare(unclaimed_.begin(), unclaimed_.end());
  for (const Warp& w : warps_)
    if (w.where == Where::coming && w.id.value != number)
      for (std::size_t p = 0; p < spare.size(); ++p) spare[p] -= w.saved[p] - w.held[p];
  return spare;
}

// Chooses three things in this order: the favoured warp (the warp that gets registers first), the warps to
// spill for the favoured warp, and the warps to restore.
SpillOrders SpillChoice::decide() {
  const Warp* favoured = warp(favoured_);
  if (!favoured || favoured->pending) favoured = choose();
  favoured_ = favoured ? favoured->id.value : kNone;
  SpillOrders orders;
  if (!favoured) return orders;
  orders.out = victims(*favoured, room_for(*favoured));
  std::vector<int> room = spare(favoured_);
  if (favoured->where == Where::out) {
    if (covers(room, favoured->need)) orders.back.add(favoured->id);
    return orders;
  }
  for (std::size_t p = 0; p < room.size(); ++p) room[p] -= rest(*favoured, p);
  std::vector<const Warp*> waiting;
  for (const Warp& w : warps_)
    if (w.where == Where::out && !w.pending) waiting.push_back(&w);
  std::sort(waiting.begin(), waiting.end(), [](const Warp* a, const Warp* b) { return a->age < b->age; });
  for (const Warp* w : waiting) {
    if (!covers(room, w->need)) continue;
    orders.back.add(w->id);
    for (std::size_t p = 0; p < room.size(); ++p) room[p] -= w->saved[p];
  }
  return orders;
}

bool SpillChoice::may_claim(WarpId id, std::span<const int> demand) const {
  const Warp* asking = warp(id.value);
  if (!asking) return false;
  if (asking->where == Where::coming) return true;
  std::vector<int> room = spare(id.value);
  const Warp* favoured = warp(favoured_);
  if (!favoured || favoured->id == id) return covers(room, demand);
  const bool comes = favoured->where == Where::coming;
  for (std::size_t p = 0; p < room.size(); ++p)
    room[p] -= comes ? favoured->need[p] - favoured->saved[p] : rest(*favoured, p);
  return covers(room, demand);
}

}  // namespace heddle
