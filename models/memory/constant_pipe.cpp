#include "models/memory/constant_pipe.h"

#include <bit>

#include "models/memory/lane_transfer.h"

namespace heddle {
namespace {

unsigned count_addresses(const WarpAddresses& addresses, LaneMask lanes) {
  if (addresses.low == addresses.high) return 1;
  unsigned different = 0;
  while (lanes != 0) {
    const std::uint64_t some = addresses.at(std::countr_zero(lanes));
    for (LaneMask left = lanes; left != 0; left &= left - 1)
      if (addresses.at(std::countr_zero(left)) == some) lanes &= ~(1u << std::countr_zero(left));
    ++different;
  }
  return different;
}

}  // namespace

Cycle ConstantPipe::run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now) {
  const BlockPart all{0, addresses.bytes};
  const isa::KernelLaunch& launch = *item.context->launch;
  const unsigned different = count_addresses(addresses, lanes);
  if (different == 1) {
    const std::uint64_t some = addresses.at(std::countr_zero(lanes));
    load_lanes(*item.instruction, item.operands, lanes, addresses,
               memory_.find(some, addresses.bytes, launch), some, all);
  } else {
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const std::uint64_t address = addresses.at(std::countr_zero(left));
      load_lanes(*item.instruction, item.operands, left & -left, addresses,
                 memory_.find(address, addresses.bytes, launch), address, all);
    }
  }
  ++accesses_;
  addresses_ += different;
  free_from_ = now + different;
  return now + (different - 1) + (delay_ - 1);
}

}  // namespace heddle
