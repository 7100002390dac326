#include "models/memory/constant_pipe.h"

#include <algorithm>
#include <bit>

#include "models/memory/lane_transfer.h"

namespace heddle {
namespace {

// Counts the different blocks of `bytes` bytes that the lanes access.
unsigned count_blocks(const WarpAddresses& addresses, LaneMask lanes, std::uint64_t bytes) {
  if (addresses.low == addresses.high) return 1;
  unsigned different = 0;
  while (lanes != 0) {
    const std::uint64_t some = addresses.at(std::countr_zero(lanes)) / bytes;
    for (LaneMask left = lanes; left != 0; left &= left - 1)
      if (addresses.at(std::countr_zero(left)) / bytes == some) lanes &= ~(1u << std::countr_zero(left));
    ++different;
  }
  return different;
}

}  // namespace

Cycle ConstantPipe::run(InFlight& item, const WarpAddresses& addresses, LaneMask lanes, Cycle now) {
  const BlockPart all{0, addresses.bytes};
  const isa::KernelLaunch& launch = *item.context->launch;
  const unsigned different = count_blocks(addresses, lanes, together_);
  Cycle missing = 0;
  if (addresses.low == addresses.high) {
    const std::uint64_t some = addresses.at(std::countr_zero(lanes));
    load_lanes(*item.instruction, item.operands, lanes, addresses,
               memory_.find(some, addresses.bytes, launch), some, all);
    if (first_miss_) missing = wait_for(some, now);
  } else {
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
      const std::uint64_t address = addresses.at(std::countr_zero(left));
      load_lanes(*item.instruction, item.operands, left & -left, addresses,
                 memory_.find(address, addresses.bytes, launch), address, all);
      if (first_miss_) missing = std::max(missing, wait_for(address, now));
    }
  }
  ++accesses_;
  addresses_ += different;
  free_from_ = now + different;
  return now + missing + (different - 1) + (delay_ - 1);
}

Cycle ConstantPipe::wait_for(std::uint64_t address, Cycle now) {
  const Cycle arrival = arrivals_.try_emplace(address / kBlockBytes, now + first_miss_).first->second;
  return arrival > now ? arrival - now : 0;
}

}  // namespace heddle
