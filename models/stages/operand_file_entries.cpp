// What the entries of an operand file hold, lane by lane.

#include "models/stages/operand_file.h"

namespace heddle {
namespace {

constexpr LaneVec kPoisoned = [] {
  LaneVec poison{};
  for (std::uint32_t& lane : poison.lane) lane = kPoison;
  return poison;
}();

}  // namespace

OperandFile::Entry& OperandFile::entry(WarpId warp, std::uint32_t number) {
  return entries_[slots_.take(warp) * width_ + number];
}

void OperandFile::put(WarpId warp, std::uint32_t number, RegId reg, const LaneVec& values, LaneMask lanes) {
  if (!lanes) return;
  warps_[warp.value].held |= std::uint64_t{1} << (reg.value & 63);
  Entry& into = entry(warp, number);
  merge_lanes(into.values, values, lanes);
  Content* same = nullptr;
  for (Content& content : into.contents) {
    content.lanes &= ~lanes;
    if (content.reg == reg) same = &content;
  }
  if (same)
    same->lanes |= lanes;
  else
    into.contents.push_back({reg, lanes});
  std::erase_if(into.contents, [](const Content& content) { return content.lanes == 0; });
}

// The register has a new value elsewhere: what an entry holds of it is no value of anything any more.
void OperandFile::supersede(WarpId warp, RegId reg, LaneMask lanes) {
  const std::size_t slot = slots_.of(warp);
  if (slot == StorageSlots::kNone || !(warps_[warp.value].held >> (reg.value & 63) & 1)) return;
  for (std::uint32_t e = 0; e < width_; ++e) {
    Entry& held = entries_[slot * width_ + e];
    for (Content& content : held.contents)
      if (content.reg == reg && (content.lanes & lanes)) {
        merge_lanes(held.values, kPoisoned, content.lanes & lanes);
        content.lanes &= ~lanes;
      }
  }
}

void OperandFile::invalidate(WarpId warp) {
  const std::size_t slot = slots_.of(warp);
  if (slot == StorageSlots::kNone) return;
  ++invalidations_;
  warps_[warp.value].held = 0;
  for (std::uint32_t e = 0; e < width_; ++e) {
    Entry& held = entries_[slot * width_ + e];
    if (held.contents.empty()) continue;
    held.contents.clear();
    held.values.fill(kPoison);
  }
}

void OperandFile::debug_read(RegisterAccess& access) {
  initiator->transport_dbg(access);
  if (const std::size_t slot = slots_.of(access.warp); slot != StorageSlots::kNone)
    for (std::uint32_t e = 0; e < width_; ++e)
      for (const Content& content : entries_[slot * width_ + e].contents)
        if (content.reg == access.home)
          merge_lanes(*access.values, entries_[slot * width_ + e].values, content.lanes);
  for (const Held& held : held_)
    if (held.access->warp == access.warp && held.access->home == access.home)
      merge_lanes(*access.values, *held.access->values, held.access->mask);
}

bool OperandFile::flip_bit(RegisterAccess& access, int lane, int bit) {
  const std::size_t slot = slots_.of(access.warp);
  if (slot == StorageSlots::kNone) return false;
  for (std::uint32_t e = 0; e < width_; ++e) {
    Entry& held = entries_[slot * width_ + e];
    for (const Content& content : held.contents) {
      if (content.reg != access.home || !(content.lanes >> lane & 1)) continue;
      held.values[lane] ^= std::uint32_t{1} << bit;
      return true;
    }
  }
  return false;
}

std::optional<StageBalance> OperandFile::balance(const RegisterFlow& came) const {
  StageBalance balance;
  balance.passed = came;
  for (const LevelCounters& level : counters_)
    balance.passed.reads -= level.private_reads->value() + level.shared_reads->value();
  balance.passed.writes -= kept_writes_.value();
  return balance;
}

}  // namespace heddle
