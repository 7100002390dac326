// Lane functions (each executes one instruction for all 32 lanes) of shfl. These functions compute and check
// the source lane of each lane, and copy the value of the source lane.

#include "models/isa/lanes/lane_loops.h"

namespace heddle::isa::lanes::HEDDLE_LANE_SET {
namespace {

inline constexpr LaneVec kEveryLane = [] {
  LaneVec all{};
  for (u32& lane : all.lane) lane = kAllLanes;
  return all;
}();

// Executes shfl (PTX ISA, shfl). Source c holds the clamp value in bits 0..4 and the segment mask in bits
// 8..12.
template <ShuffleMode Mode>
void shuffle(const Instruction& instruction, LaneOperands& o) {
  const u32* const b = o.src[1][0]->lane;
  const u32* const c = o.src[2][0]->lane;
  // Member mask of each lane: the last source in .sync forms. In the other forms, all lanes are members.
  const u32* const members =
      (instruction.modifiers.sync ? *o.src[instruction.num_src - 1][0] : kEveryLane).lane;
  const LaneMask active = o.active;
  LaneVec in_range, from;
  HEDDLE_EACH_LANE(i) {
    const s32 offset = static_cast<s32>(b[i] & 31u), clamp = static_cast<s32>(c[i] & 31u),
              segment = static_cast<s32>(c[i] >> 8 & 31u), last = (i & segment) | (clamp & ~segment);
    const s32 source = Mode == ShuffleMode::up     ? i - offset
                       : Mode == ShuffleMode::down ? i + offset
                       : Mode == ShuffleMode::bfly ? i ^ offset
                                                   : (i & segment) | (offset & ~segment);
    const u32 reaches = (Mode == ShuffleMode::up ? source >= last : source <= last) ? ~0u : 0u;
    const u32 takes_part = 0u - ((active & members[i]) >> (static_cast<u32>(source) & 31u) & 1u);
    const u32 reads = reaches & takes_part;
    in_range.lane[i] = reaches;
    from.lane[i] = (static_cast<u32>(source) & reads) | (static_cast<u32>(i) & ~reads);
  }
  o.pred_dst[1] = collect(in_range);
  if (!o.dst[0][0]) return;
  gather_words<4>(o.src[0][0]->lane, from, kAllLanes, *o.dst[0][0]);
}

}  // namespace

LaneFunction find_shuffle(const Instruction& i) {
  if (bits_of(i.type) != 32) return nullptr;
  switch (i.modifiers.shuffle) {
    case ShuffleMode::none:
      return nullptr;
    case ShuffleMode::up:
      return shuffle<ShuffleMode::up>;
    case ShuffleMode::down:
      return shuffle<ShuffleMode::down>;
    case ShuffleMode::bfly:
      return shuffle<ShuffleMode::bfly>;
    case ShuffleMode::idx:
      return shuffle<ShuffleMode::idx>;
  }
  return nullptr;
}

}  // namespace heddle::isa::lanes::HEDDLE_LANE_SET
