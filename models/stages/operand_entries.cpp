#include "models/stages/operand_entries.h"

#include <algorithm>

namespace heddle {
namespace {

constexpr LaneVec kPoisoned = [] {
  LaneVec poison{};
  for (std::uint32_t& lane : poison.lane) lane = kPoison;
  return poison;
}();

}  // namespace

OperandEntries::OperandEntries(int warps, std::uint32_t width)
    : width_(width),
      entries_(static_cast<std::size_t>(warps) * width),
      slots_(warps),
      held_(static_cast<std::size_t>(warps)) {
  for (Entry& entry : entries_) entry.values = kPoisoned;
}

void OperandEntries::put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values,
                         LaneMask lanes) {
  if (!lanes) return;
  held_[warp.value] |= std::uint64_t{1} << (reg.value & 63);
  Entry& into = at(warp, number);
  merge_lanes(into.values, values, lanes);
  Entry::Content* same = nullptr;
  for (Entry::Content& content : into.contents) {
    content.lanes &= ~lanes;
    if (content.reg == reg) same = &content;
  }
  if (same)
    same->lanes |= lanes;
  else
    into.contents.push_back({reg, lanes});
  std::erase_if(into.contents, [](const Entry::Content& content) { return content.lanes == 0; });
}

void OperandEntries::supersede(WarpId warp, RegId reg, LaneMask lanes) {
  if (!(held_[warp.value] >> (reg.value & 63) & 1)) return;
  any_content(warp, reg, [lanes](Entry& entry, Entry::Content& content) {
    if (content.lanes & lanes) merge_lanes(entry.values, kPoisoned, content.lanes & lanes);
    content.lanes &= ~lanes;
    return false;
  });
}

bool OperandEntries::invalidate(WarpId warp) {
  const std::size_t slot = slots_.of(warp);
  if (slot == StorageSlots::kNone) return false;
  held_[warp.value] = 0;
  for (std::uint32_t e = 0; e < width_; ++e) {
    Entry& entry = entries_[slot * width_ + e];
    if (entry.contents.empty()) continue;
    entry.contents.clear();
    entry.values = kPoisoned;
  }
  return true;
}

void OperandEntries::read(WarpId warp, RegId reg, LaneVec& into) {
  any_content(warp, reg, [&into](const Entry& entry, const auto& content) {
    merge_lanes(into, entry.values, content.lanes);
    return false;
  });
}

bool OperandEntries::flip_bit(WarpId warp, RegId reg, int lane, int bit) {
  return any_content(warp, reg, [lane, bit](Entry& entry, const Entry::Content& content) {
    if (!(content.lanes >> lane & 1)) return false;
    entry.values[lane] ^= std::uint32_t{1} << bit;
    return true;
  });
}

void OperandEntries::probes(const ProbeScope& scope) {
  Gauge entries{"entries", "register in each entry", Gauge::Form::registers, entries_.size()};
  entries.row = width_;
  entries.read = [this](Cycle, std::vector<std::uint64_t>& values) {
    values.resize(entries_.size());
    for (std::uint32_t w = 0; w < held_.size(); ++w) {
      const std::size_t slot = slots_.of(WarpId(w));
      for (std::uint32_t e = 0; slot != StorageSlots::kNone && e < width_; ++e)
        for (const Entry::Content& content : entries_[slot * width_ + e].contents)
          values[slot * width_ + e] = Gauge::register_number(WarpId(w), content.reg);
    }
  };
  scope.show(std::move(entries));
  scope.part("slots").add(slots_.probe());
}

}  // namespace heddle
