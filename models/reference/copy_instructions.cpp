#include "models/reference/copy_instructions.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "models/isa/async_copy.h"

namespace heddle::reference {

void CopyInstructions::execute(const WarpState& warp, const DecodedInstruction& d, LaneMask executing) {
  const isa::Instruction& i = *d.instruction;
  const DecodedCopy& parts = decoded_.copies[static_cast<std::size_t>(d.target)];
  const unsigned size = i.memory.element_bytes;
  LaneVec counters[2][2];
  const SourceWords sizes = d.num_src > isa::kCopySize
                                ? accesses_.source(warp, d, isa::kCopySize, executing, counters[0])
                                : SourceWords{};
  std::array<std::array<std::uint8_t, isa::kMostCopyBytes>, kLanes> bytes{};
  LaneMask whole = 0;
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto read = sizes.low ? (*sizes.low)[lane] : size;
    if (read > size)
      accesses_.faults().fail(warp, d, FaultError::Kind::other, lane,
                              fmt::format("the source size {} is larger than the copy size {}", read, size));
    if (read == size) {
      whole |= LaneMask{1} << lane;
    } else if (read != 0) {
      const SourceWords from = accesses_.source(warp, d, isa::kCopyFrom, executing, counters[1]);
      accesses_.read_part(warp, d, lane, from.of_lane(lane) + static_cast<std::uint64_t>(i.memory.offset),
                          read, bytes[static_cast<std::size_t>(lane)].data());
    }
  }
  ResolvedAccess access;
  if (whole != 0) {
    accesses_.resolve(warp, d, {parts.load, AccessKind::load, isa::kCopyFrom, d.access}, parts.load.memory,
                      whole, access);
    for (LaneMask left = whole; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      std::memcpy(bytes[static_cast<std::size_t>(lane)].data(), access.at(lane), size);
    }
  }
  accesses_.resolve(warp, d, {parts.store, AccessKind::store, isa::kCopyTarget, d.access + 1},
                    parts.store.memory, executing, access);
  for (LaneMask left = executing; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const std::uint8_t* const from = bytes[static_cast<std::size_t>(lane)].data();
    if (std::memcmp(access.at(lane), from, size) != 0) progress_.note();
    std::memcpy(access.at(lane), from, size);
  }
}

}  // namespace heddle::reference
