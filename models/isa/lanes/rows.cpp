
#include "models/isa/rows.h"

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

using Anywhere = u32 __attribute__((aligned(1), may_alias));

void merge(LaneVec& into, const LaneVec& from, LaneMask lanes) {
  HEDDLE_EACH_LANE(i) {
    const u32 taken = lane_of(lanes, i);
    into.lane[i] = (from.lane[i] & taken) | (into.lane[i] & ~taken);
  }
}

void gather(const u8* origin, const LaneVec& offset, u32 base, LaneMask lanes, LaneVec& into) {
  LaneVec from;
  HEDDLE_EACH_LANE(i) from.lane[i] = offset.lane[i] - base;
  gather_words<1>(origin, from, lanes, into);
}

void permute(LaneVec& into, const LaneVec& values, const u8* from, LaneMask lanes) {
  LaneVec source;
  HEDDLE_EACH_LANE(i) source.lane[i] = from[i];
  HEDDLE_EACH_LANE(i) into.lane[i] = kPoison;
  gather_words<4>(values.lane, source, lanes, into);
}

void load(const u8* origin, s32 first, s32 second, LaneMask lanes, LaneVec& into) {
  constexpr int kHalf = kLanes / 2;
  const auto* low = reinterpret_cast<const Anywhere*>(origin + first);
  const auto* high = reinterpret_cast<const Anywhere*>(origin + second);
  if (lanes == kAllLanes) {
    for (int i = 0; i < kHalf; ++i) into.lane[i] = low[i];
    for (int i = kHalf; i < kLanes; ++i) into.lane[i] = high[i];
    return;
  }
  for (int i = 0; i < kHalf; ++i)
    if (lane_of(lanes, i)) into.lane[i] = low[i];
  for (int i = kHalf; i < kLanes; ++i)
    if (lane_of(lanes, i)) into.lane[i] = high[i];
}

void store(u8* origin, s32 first, s32 second, LaneMask lanes, const LaneVec& from) {
  constexpr int kHalf = kLanes / 2;
  auto* low = reinterpret_cast<Anywhere*>(origin + first);
  auto* high = reinterpret_cast<Anywhere*>(origin + second);
  for (int i = 0; i < kHalf; ++i)
    if (lane_of(lanes, i)) low[i] = from.lane[i];
  for (int i = kHalf; i < kLanes; ++i)
    if (lane_of(lanes, i)) high[i] = from.lane[i];
}

void fill_others(LaneMask lanes, LaneVec& words) {
  const u32 some = words.lane[__builtin_ctz(lanes)];
  HEDDLE_EACH_LANE(i) {
    const u32 own = lane_of(lanes, i);
    words.lane[i] = (words.lane[i] & own) | (some & ~own);
  }
}

bool add_offset(const LaneVec& low, const LaneVec* high, s64 offset, LaneMask lanes, LaneVec& low_sum,
                LaneVec& high_sum) {
  const u32 add = static_cast<u32>(offset), add_high = static_cast<u32>(offset >> 32);
  HEDDLE_EACH_LANE(i) low_sum.lane[i] = low.lane[i] + add;
  if (high)
    HEDDLE_EACH_LANE(i) high_sum.lane[i] = high->lane[i] + add_high + (low_sum.lane[i] < add ? 1u : 0u);
  if (lanes != kAllLanes) {
    fill_others(lanes, low_sum);
    if (high) fill_others(lanes, high_sum);
  }
  if (!high) return true;
  u32 differ = 0;
  const u32 some = high_sum.lane[0];
  HEDDLE_EACH_LANE(i) differ |= high_sum.lane[i] ^ some;
  return differ == 0;
}

bool has_distances(const LaneVec& words, u32 base, const LaneVec& distances, LaneMask lanes) {
  u32 differ = 0;
  if (lanes == kAllLanes)
    HEDDLE_EACH_LANE(i) differ |= (words.lane[i] - base) ^ distances.lane[i];
  else
    HEDDLE_EACH_LANE(i) differ |= ((words.lane[i] - base) ^ distances.lane[i]) & lane_of(lanes, i);
  return differ == 0;
}

RowSpread measure(const LaneVec& words, u32 base, LaneMask lanes, LaneVec& distances) {
  s32 lowest = 0, highest = 0;
  u32 bits = 0;
  HEDDLE_EACH_LANE(i) {
    const u32 distance = (words.lane[i] - base) & lane_of(lanes, i);
    const s32 apart = static_cast<s32>(distance);
    distances.lane[i] = distance;
    bits |= distance;
    lowest = apart < lowest ? apart : lowest;
    highest = apart > highest ? apart : highest;
  }
  return {lowest, highest, bits};
}

LaneMask in_block(const LaneVec& words, u32 add, int shift, u32 block) {
  LaneVec same;
  HEDDLE_EACH_LANE(i) same.lane[i] = (words.lane[i] + add) >> shift == block ? ~0u : 0u;
  return collect(same);
}

LaneMask block_changes(const LaneVec& words, u32 add, int shift) {
  alignas(64) u32 blocks[1 + kLanes];
  blocks[0] = 0;
  HEDDLE_EACH_LANE(i) blocks[1 + i] = (words.lane[i] + add) >> shift;
  LaneVec differs;
  HEDDLE_EACH_LANE(i) differs.lane[i] = blocks[1 + i] != blocks[i] ? ~0u : 0u;
  return collect(differs) | 1u;
}

RowBits bits(const LaneVec& words, LaneMask lanes) {
  u32 any = 0, all = ~0u;
  if (lanes == kAllLanes) {
    HEDDLE_EACH_LANE(i) {
      any |= words.lane[i];
      all &= words.lane[i];
    }
  } else {
    HEDDLE_EACH_LANE(i) {
      const u32 judged = lane_of(lanes, i);
      any |= words.lane[i] & judged;
      all &= words.lane[i] | ~judged;
    }
  }
  return {any, all};
}

void interleave(const u8* const* byte, LaneVec& into) {
  const u8 *const b0 = byte[0], *const b1 = byte[1], *const b2 = byte[2], *const b3 = byte[3];
  HEDDLE_EACH_LANE(i) into.lane[i] = u32{b0[i]} | u32{b1[i]} << 8 | u32{b2[i]} << 16 | u32{b3[i]} << 24;
}

void split(const LaneVec& words, u8* const* byte) {
  u8 *const b0 = byte[0], *const b1 = byte[1], *const b2 = byte[2], *const b3 = byte[3];
  HEDDLE_EACH_LANE(i) b0[i] = static_cast<u8>(words.lane[i]);
  HEDDLE_EACH_LANE(i) b1[i] = static_cast<u8>(words.lane[i] >> 8);
  HEDDLE_EACH_LANE(i) b2[i] = static_cast<u8>(words.lane[i] >> 16);
  HEDDLE_EACH_LANE(i) b3[i] = static_cast<u8>(words.lane[i] >> 24);
}

}  // namespace

const RowOperations kRowOperations = {merge,      gather,        permute, load,     store,
                                      add_offset, has_distances, measure, in_block, block_changes,
                                      bits,       interleave,    split};

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
