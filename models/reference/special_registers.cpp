#include "models/reference/special_registers.h"

namespace heddle::reference {
namespace {

using isa::SpecialRegister;

constexpr std::uint32_t kWarpSlots = 64;  // value of %nwarpid; assumed as for sm_50 and later

std::uint32_t value_of(SpecialRegister special, const WarpPlace& place, std::uint32_t lane) {
  const isa::KernelLaunch& launch = *place.launch;
  const isa::Dim3& block = launch.block;
  const isa::Dim3 tid = thread_position(block, place.warp * kLanes + lane);
  const std::uint32_t bit = 1u << lane;
  switch (special) {
    case SpecialRegister::tid_x:
      return tid.x;
    case SpecialRegister::tid_y:
      return tid.y;
    case SpecialRegister::tid_z:
      return tid.z;
    case SpecialRegister::ntid_x:
      return block.x;
    case SpecialRegister::ntid_y:
      return block.y;
    case SpecialRegister::ntid_z:
      return block.z;
    case SpecialRegister::ctaid_x:
      return place.cta.x;
    case SpecialRegister::ctaid_y:
      return place.cta.y;
    case SpecialRegister::ctaid_z:
      return place.cta.z;
    case SpecialRegister::nctaid_x:
      return launch.grid.x;
    case SpecialRegister::nctaid_y:
      return launch.grid.y;
    case SpecialRegister::nctaid_z:
      return launch.grid.z;
    case SpecialRegister::laneid:
      return lane;
    case SpecialRegister::warpid:
      return place.machine ? place.machine->warps[place.warp].slot : place.warp;
    case SpecialRegister::nwarpid:
      return launch.reads ? launch.reads->warp_slots() : kWarpSlots;
    case SpecialRegister::smid:
      return place.machine ? place.machine->sm : 0;
    case SpecialRegister::nsmid:
      return launch.reads ? launch.reads->sms() : 1;
    case SpecialRegister::gridid:
      return launch.id.value;
    case SpecialRegister::lanemask_eq:
      return bit;
    case SpecialRegister::lanemask_le:
      return bit | (bit - 1);
    case SpecialRegister::lanemask_lt:
      return bit - 1;
    case SpecialRegister::lanemask_ge:
      return ~(bit - 1);
    case SpecialRegister::lanemask_gt:
      return ~(bit | (bit - 1));
    case SpecialRegister::dynamic_smem_size:
      return launch.dynamic_shared_bytes;
    case SpecialRegister::total_smem_size:
      return launch.shared_bytes();
    case SpecialRegister::envreg:
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return 0;
  }
  return 0;
}

std::uint32_t counter_word(SpecialRegister special, std::uint64_t steps, bool high) {
  const bool upper = special == SpecialRegister::clock_hi || special == SpecialRegister::globaltimer_hi;
  if (upper && high) return 0;
  return static_cast<std::uint32_t>(upper || high ? steps >> 32 : steps);
}

}  // namespace

isa::Dim3 thread_position(const isa::Dim3& block, std::uint32_t linear) {
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

isa::Dim3 cta_position(const isa::Dim3& grid, std::uint64_t linear) {
  return {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

bool is_counter(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

bool differs_by_cta(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::ctaid_x:
    case SpecialRegister::ctaid_y:
    case SpecialRegister::ctaid_z:
    case SpecialRegister::smid:
    case SpecialRegister::warpid:
      return true;
    default:
      return false;
  }
}

void fill_special(SpecialRegister special, std::uint8_t index, int bits, const WarpPlace& place,
                  LaneVec& into) {
  const std::uint32_t keep = bits >= 32 ? ~0u : (1u << bits) - 1;
  if (differs_by_cta(special)) return into.fill(value_of(special, place, 0) & keep);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    into[static_cast<int>(lane)] = (special == SpecialRegister::envreg ? place.launch->environment(index)
                                                                       : value_of(special, place, lane)) &
                                   keep;
}

void fill_counter(SpecialRegister special, const isa::Instruction& instruction, LaneMask lanes,
                  const WarpClock& clock, std::uint64_t steps, LaneVec (&words)[2]) {
  words[0].fill(counter_word(special, steps, false));
  words[1].fill(counter_word(special, steps, true));
  if (!clock.warp) return;
  isa::MachineReads::Values values;
  values.fill(words[0][0] | std::uint64_t{words[1][0]} << 32);
  clock.reads->take(*clock.warp, instruction, special, lanes, values);
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t value = values[static_cast<std::size_t>(lane)];
    words[0][lane] = static_cast<std::uint32_t>(value);
    words[1][lane] = static_cast<std::uint32_t>(value >> 32);
  }
}

}  // namespace heddle::reference
