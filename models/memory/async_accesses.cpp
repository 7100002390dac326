#include "models/memory/async_accesses.h"

namespace heddle {

RoutedLanes AsyncAccesses::check(MemoryOperation& copy, const MemoryImage* image,
                                 const ConstantMemory& constants) {
  const InFlight& item = *copy.item;
  const CopyLanes lanes = check_copy(copy.site, item, image);
  if (lanes.whole != 0) {
    patterns_.make(*item.instruction, item.operands, lanes.whole, copy.addresses);
    route_and_check(copy.site, copy.addresses, image, constants);
  }
  RoutedLanes reading;
  reading.global = lanes.whole | lanes.partial;
  patterns_.make(*item.instruction, item.operands, reading.global ? reading.global : item.mask,
                 copy.addresses);
  return reading;
}

void AsyncAccesses::start(MemoryOperation& copy, LaneMask reading, Cycle now) {
  copy.not_before = now;
  copy.begin(reading, 0);
  arrivals_.began(*copy.item);
  if (const LaneMask zeros = copy.item->mask & ~reading; zeros != 0) {
    GlobalPipe::expect_bytes(copy);
    landings_.add(copy, zeros, nullptr, 0, now + 1);
  }
  global_.enqueue(&copy);
}

bool AsyncAccesses::keeps(InFlight& item, int partition, const WarpAddresses& addresses, Cycle now) {
  const isa::AtomicOp op = item.instruction->modifiers.atomic;
  if (isa::arrives_after_copies(op)) {
    arrivals_.add({&item, partition}, addresses);
    return true;
  }
  if (op != isa::AtomicOp::mb_wait || shared_.phases_over(item, addresses, item.mask)) return false;
  waits_.add({&item, partition, addresses, item.mask, now + MbarrierWaits::kLimit});
  return true;
}

Cycle AsyncAccesses::next(Cycle now) const {
  Cycle next = waits_.next();
  if (!landings_.empty()) next = std::min(next, landings_.next(now));
  if (arrivals_.ready()) next = std::min(next, std::max(shared_.free_from(), now + 1));
  return next;
}

}  // namespace heddle
