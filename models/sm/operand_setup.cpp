#include "models/sm/operand_setup.h"

#include <algorithm>

namespace heddle {
namespace {

using isa::Operand;
using isa::SpecialRegister;

std::uint64_t nanoseconds(Cycle now, double clock_mhz) {
  return static_cast<std::uint64_t>(static_cast<double>(now) * 1000.0 / clock_mhz);
}

LaneMask lane_mask(SpecialRegister which, int lane) {
  const LaneMask self = LaneMask{1} << lane;
  switch (which) {
    case SpecialRegister::lanemask_eq:
      return self;
    case SpecialRegister::lanemask_lt:
      return self - 1;
    case SpecialRegister::lanemask_le:
      return (self - 1) | self;
    case SpecialRegister::lanemask_gt:
      return ~((self - 1) | self);
    default:
      return ~(self - 1);
  }
}

std::uint64_t uniform_special(const Operand& o, const WarpState& warp, const PlacementInfo& place, Cycle now,
                              double clock_mhz) {
  const WarpContext& c = warp.context;
  const isa::KernelLaunch& launch = *c.launch;
  switch (o.special) {
    case SpecialRegister::ntid_x:
      return launch.block.x;
    case SpecialRegister::ntid_y:
      return launch.block.y;
    case SpecialRegister::ntid_z:
      return launch.block.z;
    case SpecialRegister::ctaid_x:
      return c.cta_id.x;
    case SpecialRegister::ctaid_y:
      return c.cta_id.y;
    case SpecialRegister::ctaid_z:
      return c.cta_id.z;
    case SpecialRegister::nctaid_x:
      return launch.grid.x;
    case SpecialRegister::nctaid_y:
      return launch.grid.y;
    case SpecialRegister::nctaid_z:
      return launch.grid.z;
    case SpecialRegister::warpid:
      return c.warp.value;
    case SpecialRegister::nwarpid:
      return place.max_warps;
    case SpecialRegister::smid:
      return place.sm;
    case SpecialRegister::nsmid:
      return place.sms;
    case SpecialRegister::gridid:
      return launch.id.value;
    case SpecialRegister::clock:
      return now & 0xffffffffu;
    case SpecialRegister::clock_hi:
      return now >> 32;
    case SpecialRegister::clock64:
      return now;
    case SpecialRegister::globaltimer:
      return nanoseconds(now, clock_mhz);
    case SpecialRegister::globaltimer_lo:
      return nanoseconds(now, clock_mhz) & 0xffffffffu;
    case SpecialRegister::globaltimer_hi:
      return nanoseconds(now, clock_mhz) >> 32;
    case SpecialRegister::envreg:
      return launch.environment(o.index);
    case SpecialRegister::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case SpecialRegister::total_smem_size:
      return launch.shared_bytes();
    default:
      return 0;
  }
}

}  // namespace

void read_special(const isa::Instruction& instruction, const Operand& operand, LaneMask lanes,
                  const WarpState& warp, const PlacementInfo& place, Cycle now, double clock_mhz,
                  LaneVec& low, LaneVec& high) {
  high.fill(0);
  switch (operand.special) {
    case SpecialRegister::tid_x:
      low = warp.context.tid[0];
      return;
    case SpecialRegister::tid_y:
      low = warp.context.tid[1];
      return;
    case SpecialRegister::tid_z:
      low = warp.context.tid[2];
      return;
    case SpecialRegister::laneid:
      for (int i = 0; i < kLanes; ++i) low[i] = static_cast<std::uint32_t>(i);
      return;
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
      for (int i = 0; i < kLanes; ++i) low[i] = lane_mask(operand.special, i);
      return;
    default: {
      const std::uint64_t value = uniform_special(operand, warp, place, now, clock_mhz);
      low.fill(static_cast<std::uint32_t>(value));
      high.fill(static_cast<std::uint32_t>(value >> 32));
      const WarpContext& c = warp.context;
      if (c.launch->reads && isa::is_clock(operand.special))
        c.launch->reads->read(place.sm, c.cta, c.warp_in_cta, instruction, operand.special, lanes, value);
    }
  }
}

namespace {

void read_special_into(InFlight& item, std::size_t slot, const WarpState& warp, const PlacementInfo& place,
                       Cycle now, double clock_mhz) {
  const Operand* const sources = item.instruction->src.data();
  const auto before = std::count_if(sources, sources + slot,
                                    [](const Operand& o) { return o.kind == Operand::Kind::special; });
  LaneVec* const low = item.value_at(special_place(*item.footprint, static_cast<std::size_t>(before)));
  read_special(*item.instruction, sources[slot], item.mask, warp, place, now, clock_mhz, low[0], low[1]);
  item.operands.src[slot][0] = low;
  item.operands.src[slot][1] = low + 1;
}

}  // namespace

void read_source(InFlight& item, std::size_t slot, const WarpState& warp, const PlacementInfo& place,
                 Cycle now, double clock_mhz) {
  const Operand& o = item.instruction->src[slot];
  if (o.kind == Operand::Kind::special)
    read_special_into(item, slot, warp, place, now, clock_mhz);
  else
    item.operands.pred_src[slot] = predicate_of(o, warp);
}

}  // namespace heddle
